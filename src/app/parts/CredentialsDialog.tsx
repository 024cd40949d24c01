import type { PlatformCredentials } from '../../contract/entities';
import type { SendOptions } from '../api/client';
import { toFieldText } from '../api/parse';
import { useForm } from '../hooks/useForm';
import { Field } from '../ui/Field';
import { FormDialog } from '../ui/FormDialog';
import { SecretField } from './SecretField';

interface Props {
  title: string;
  about: string;
  hint?: string | undefined;
  initial?: Partial<PlatformCredentials> | null | undefined;
  onClose: () => void;
  send: (login: PlatformCredentials, options: SendOptions) => Promise<unknown>;
  done: string;
  failed: string;
  reload: () => unknown;
}
/** Username and password for a game platform; both are required (docs/product.md, "Platforms"). */
export function CredentialsDialog({ title, about, hint, initial, onClose, ...save }: Props) {
  const form = useForm({
    ...save,
    initial: { username: toFieldText(initial?.username), password: toFieldText(initial?.password) },
    draft: `credentials ${about}`,
    secrets: ['password'],
    onDone: onClose,
  });
  const { username, password } = form.values;
  return (
    <FormDialog title={title} {...form.dialog} disabled={!username.trim() || !password} onClose={onClose}>
      <p>{about}</p>
      {hint && <p>{hint}</p>}
      <Field label="Username" autoComplete="off" {...form.field('username')} />
      <SecretField label="Password" {...form.field('password')} />
    </FormDialog>
  );
}
