import { Fragment } from 'react';
import type { LinkTemplate } from '../../../contract/entities';
import { fillLink, findLinkProblem, type LinkKind } from '../../../contract/links';
import { useCall } from '../../hooks/useCall';
import type { Resource } from '../../hooks/useResource';
import { useApi, useFeature } from '../../state/session';

export function useLinkTemplates(tenantId: number | undefined): Resource<LinkTemplate[]> {
  const api = useApi();
  const isOffered = useFeature('link_templates') && tenantId !== undefined;
  return useCall(api.listLinkTemplates, isOffered ? { tenant_id: tenantId } : null, 'Failed to fetch the links');
}

interface Props {
  templates: readonly LinkTemplate[] | undefined;
  kind: LinkKind;
  values: Readonly<Record<string, unknown>>;
}
/** The links of one kind with the values of one thing. What is no https address or lacks a value is left out. */
export function TemplateLinks({ templates, kind, values }: Props) {
  return (templates ?? []).map(({ kind: of, label, url }) => {
    const href = of === kind && findLinkProblem(kind, url) === undefined ? fillLink(url, values) : null;
    return (
      href !== null && (
        <Fragment key={label + url}>
          <a href={href} target="_blank" rel="noopener noreferrer" referrerPolicy="no-referrer">
            {label}
          </a>{' '}
        </Fragment>
      )
    );
  });
}
