import { AGE_MAX } from '../../../contract/eligibility';
import type { EligibilityRules as Rules } from '../../../contract/entities';
import { useCall } from '../../hooks/useCall';
import { detailOr } from '../../hooks/useErrorToast';
import { useForm } from '../../hooks/useForm';
import { useDialogApi } from '../../state/useDialogApi';
import { AmountField } from '../../ui/AmountField';
import { CheckBox } from '../../ui/CheckBox';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

interface Props {
  tenantId: number;
  onClose: () => void;
}

/** Whom a tenant lets play, and from when on it wants to know who is paid. */
export function EligibilityRules({ tenantId, onClose }: Props) {
  const api = useDialogApi();
  const found = useCall(api.getEligibilityRules, { tenant_id: tenantId }, detailOr('Failed to fetch the rules'));
  return found.data ? <EditRules tenantId={tenantId} rules={found.data} onClose={onClose} /> : null;
}

function EditRules({ tenantId, rules, onClose }: Props & { rules: Rules }) {
  const api = useDialogApi();
  const form = useForm({
    initial: {
      minimum_age: String(rules.minimum_age ?? ''),
      refused_regions: rules.refused_regions.join(' '),
      kyc_from: String(rules.kyc_from ?? ''),
      kyc_first: rules.kyc_first,
      report_from: String(rules.report_from ?? ''),
    },
    send: ({ minimum_age, refused_regions, kyc_from, kyc_first, report_from }, options) => {
      const regions = refused_regions.toUpperCase().split(/[\s,;]+/);
      const body = {
        tenant_id: tenantId,
        minimum_age: minimum_age.trim() ? Number(minimum_age) : null,
        refused_regions: regions.filter(Boolean),
        kyc_from: kyc_from.trim() || null,
        kyc_first,
        report_from: report_from.trim() || null,
      };
      return api.changeEligibilityRules({ body }, options);
    },
    done: 'Rules saved',
    failed: 'Failed to save the rules',
    shownAt: ['minimum_age', 'refused_regions', 'kyc_from', 'report_from'],
    onDone: onClose,
  });
  const dollars = { min: 0, step: 'any', hint: 'In dollars' };
  return (
    <FormDialog title="Who may play" {...form.dialog} onClose={onClose}>
      <p>Blank: no limit. A player whose birth date or region is unknown may play.</p>
      <Field label="Minimum age" type="number" min={1} max={AGE_MAX} {...form.field('minimum_age')} />
      <Field
        label="Refused regions"
        hint="Countries or parts of them, such as FR US-CA US-NY"
        {...form.field('refused_regions')}
      />
      <AmountField label="Payouts that need a verified identity, from" {...dollars} {...form.field('kyc_from')} />
      <CheckBox label="The first payout needs a verified identity" {...form.box('kyc_first')} />
      <AmountField label="Payouts of a year to report, from" {...dollars} {...form.field('report_from')} />
    </FormDialog>
  );
}
