import { Money } from './Money';

type Figure = readonly [name: string, amount: number | string | null | undefined, signed?: boolean];
/** Amounts with their names, beside each other. */
export const PlainFigures = ({ of }: { of: readonly Figure[] }) => (
  <dl className="plain-figures">
    {of.map(([name, amount, signed = false]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Money amount={amount} signed={signed} />
        </dd>
      </div>
    ))}
  </dl>
);
