import type { LinkTemplate } from '../../../contract/entities';
import {
  findLinkProblem,
  LINK_LABEL_MAX,
  LINK_URL_MAX,
  type LinkKind,
  linkKinds,
  linkNames,
} from '../../../contract/links';
import { type Saving, useForm } from '../../hooks/useForm';
import { useApi } from '../../state/session';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Select } from '../../ui/Select';

const labels: Record<LinkKind, string> = { player: 'Players', payment: 'Payments', platform: 'Platforms' };

type Props = Saving & { tenantId: number; templates: readonly LinkTemplate[] };
/** The links that a tenant adds: to a chat, an identity vendor or a block explorer. */
export function EditLinks({ tenantId, templates, onClose, onSaved }: Props) {
  const api = useApi();
  const form = useForm({
    initial: { links: templates },
    check: ({ links }) => links.every(({ kind, label, url }) => label.trim() && !findLinkProblem(kind, url.trim())),
    send: ({ links }, options) =>
      api.saveLinkTemplates({ body: { templates: [...links], tenant_id: tenantId } }, options),
    done: 'Links saved',
    failed: 'Failed to save the links',
    reload: onSaved,
    onDone: onClose,
  });
  const { links } = form.values;
  const set = (n: number, patch: Partial<LinkTemplate>) =>
    form.set({ links: links.map((link, at) => (at === n ? { ...link, ...patch } : link)) });
  return (
    <FormDialog title="Links" {...form.dialog} onClose={onClose}>
      <p>They stand beside players, payments or platforms, and lead to a chat, for example.</p>
      {links.map(({ kind, label, url }, n) => (
        <fieldset key={String(n)}>
          <legend>Link {n + 1}</legend>
          <div className="grid">
            {' '}
            <Select
              label="Shown with"
              value={kind}
              options={linkKinds.map((value) => ({ value, label: labels[value] }))}
              onChange={({ target }) => set(n, { kind: target.value as LinkKind })}
            />
            <Field
              label="Name"
              required
              maxLength={LINK_LABEL_MAX}
              value={label}
              onChange={({ target }) => set(n, { label: target.value })}
            />
          </div>
          <Field
            label="Address"
            type="url"
            required
            maxLength={LINK_URL_MAX}
            hint={`Can contain ${linkNames[kind].map((name) => `{${name}}`).join(', ')}`}
            error={url === 'https://' ? undefined : findLinkProblem(kind, url.trim())}
            value={url}
            onChange={({ target }) => set(n, { url: target.value })}
          />
          <Button onClick={() => form.set({ links: links.filter((_, at) => at !== n) })}>Remove link {n + 1}</Button>
        </fieldset>
      ))}
      <p>
        <Button onClick={() => form.set({ links: [...links, { kind: 'player', label: '', url: 'https://' }] })}>
          Add link
        </Button>
      </p>
    </FormDialog>
  );
}
