import { isObject, orDash, parseJson } from '../../api/parse';

/** What a processor says about a payment, line by line; as it is, if it is no object. */
export function Metadata({ of }: { of: unknown }) {
  const value = typeof of === 'string' ? (parseJson(of) ?? of) : of;
  if (value == null || value === '') return <>-</>;
  if (!isObject(value)) return <>{Array.isArray(value) ? JSON.stringify(value) : String(value)}</>;
  return (
    <dl className="metadata">
      {Object.entries(value).map(([name, one]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>{typeof one === 'object' || typeof one === 'boolean' ? <Metadata of={one} /> : orDash(one)}</dd>
        </div>
      ))}
    </dl>
  );
}
