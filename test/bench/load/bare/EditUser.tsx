import { useEffect, useRef, useState } from 'react';
import type { Player } from '../../../../src/contract/entities';
import { saveUser } from './api';

const labels = {
  email: 'Email',
  first_name: 'First Name',
  last_name: 'Last Name',
  phone_number: 'Phone Number',
  referral_id: 'Referral ID',
  affiliate_id: 'Affiliate ID',
};
const fields = ['email', 'first_name', 'last_name', 'phone_number', 'referral_id', 'affiliate_id'] as const;

export function EditUser({ user, onClose, onSaved }: { user: Player; onClose: () => void; onSaved: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [values, setValues] = useState({
    email: user.email,
    first_name: user.first_name ?? '',
    last_name: user.last_name ?? '',
    phone_number: user.phone_number ?? '',
    referral_id: user.referral_id ?? '',
    affiliate_id: user.affiliate_id ?? '',
  });
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} onClose={onClose}>
      <article>
        <h3>Edit User</h3>
        <form
          onSubmit={async (event) => {
            event.preventDefault();
            await saveUser(user.id, values);
            onSaved();
            onClose();
          }}
        >
          {fields.map((field) => (
            <label key={field}>
              {labels[field]}
              <input
                value={values[field]}
                onChange={(event) => setValues({ ...values, [field]: event.target.value })}
              />
            </label>
          ))}
          <footer>
            <button type="button" className="secondary" onClick={onClose}>
              Cancel
            </button>
            <button>Save</button>
          </footer>
        </form>
      </article>
    </dialog>
  );
}
