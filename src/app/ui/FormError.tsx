import { useEffect, useState } from 'react';
import type { FormReason } from '../hooks/useForm';

/** Why the server refused a form, once its toast has gone: a refusal is told once. Not if a field shows it. */
export function FormError({ reason: { text, at, ms } }: { reason: FormReason }) {
  const [told, setTold] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), text ? ms : 0);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return text && told === text && !at ? <p className="why">{text}</p> : null;
}
