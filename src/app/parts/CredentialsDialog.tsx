import { useState } from 'react';
import type { PlatformCredentials } from '../../contract/entities';
import { toFieldText } from '../api/parse';
import { useFields } from '../hooks/useFields';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { FormError, type FormErrorState } from './FormError';
import { SecretField } from './SecretField';

/**
 * Username and password for a game platform; both are required (docs/product.md, "Platforms"). Closes once `onSave` has
 * worked.
 */
export function CredentialsDialog({
  title,
  about,
  initial,
  formError,
  onSave,
  onClose,
}: {
  title: string;
  /** Whose credentials they are. */
  about?: string;
  initial?: Partial<PlatformCredentials> | null | undefined;
  formError?: FormErrorState;
  onSave: (login: PlatformCredentials) => Promise<boolean>;
  onClose: () => void;
}) {
  const { values, field, draft } = useFields(
    { username: toFieldText(initial?.username), password: toFieldText(initial?.password) },
    { draft: `credentials ${about ?? title}`, secrets: ['password'] },
  );
  const [saving, setSaving] = useState(false);

  async function submit() {
    setSaving(true);
    formError?.clear();
    const isSaved = await onSave(values);
    setSaving(false);
    if (!isSaved) return;
    draft.clear();
    onClose();
  }

  return (
    <FormDialog
      title={title}
      disabled={saving || !values.username.trim() || !values.password}
      draft={draft}
      onClose={onClose}
      onSubmit={submit}
    >
      {about && <p>{about}</p>}
      <Field label="Username" autoComplete="off" {...field('username')} />
      <SecretField label="Password" {...field('password')} />
      {formError && <FormError error={formError} />}
    </FormDialog>
  );
}
