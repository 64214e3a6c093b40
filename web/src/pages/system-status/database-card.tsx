import type { StatusDatabase, StatusSection, StatusTable } from '@farlink/contract/advanced/system-status.ts';
import { tableNames } from '@farlink/contract/advanced/table-names.ts';
import { bytesText, durationText } from '@farlink/contract/kit/units.ts';
import { useState } from 'react';
import { t } from '../../kit/chrome/lang.ts';
import { tips } from '../../ui/browser/tip.ts';
import { dateText, numberText } from '../../ui/format.ts';
import { Figure, StatusCard } from './status-card.tsx';
import { texts } from './texts.ts';

const growthText = (bytes: number | null) =>
  bytes === null ? t(texts.notYet) : `${bytes > 0 ? '+' : bytes < 0 ? '−' : ''}${bytesText(Math.abs(bytes))}`;

const replicaText = (replica: StatusDatabase['replica']) => {
  if (replica === null) return t(texts.noReplica);
  return replica.is_used ? t(texts.replicaUsed, durationText(replica.lag_s ?? 0)) : t(texts.replicaOff);
};

interface BarProps {
  readonly label: string;
  readonly bytes: number;
  readonly largest: number;
  readonly more?: string | undefined;
  /** Name in the database. */
  readonly table?: string;
}

/** Size of a table or a partition; the bar compares it with the largest. */
const SizeLine = ({ label, bytes, largest, more, table }: BarProps) => (
  <>
    <span className="status-size-name" data-tip={table}>
      {label}
    </span>
    <span className="meter status-size-bar" aria-hidden>
      <span style={{ width: `${largest === 0 ? 0 : (100 * bytes) / largest}%` }} />
    </span>
    <span>
      {bytesText(bytes)}
      {more && <span className="muted"> · {more}</span>}
    </span>
  </>
);

const Table = ({ table: { name, bytes, row_count, weeks }, largest }: { readonly table: StatusTable; readonly largest: number }) => {
  const known = tableNames[name];
  const line = (
    <SizeLine
      label={known ? t(known) : name}
      table={name}
      bytes={bytes}
      largest={largest}
      more={row_count === null ? undefined : t(texts.rows, numberText(row_count))}
    />
  );
  const largestWeek = Math.max(...weeks.map((week) => week.bytes), 0);
  return (
    <li>
      {weeks.length === 0 ? (
        <div className="status-size">{line}</div>
      ) : (
        <details>
          <summary className="status-size">{line}</summary>
          <ul>
            {weeks.map((week) => (
              <li key={week.from_at ?? 0} className="status-size">
                <SizeLine
                  label={week.from_at === null ? t(texts.earlier) : t(texts.weekOf, dateText(week.from_at))}
                  bytes={week.bytes}
                  largest={largestWeek}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
};

const initialCount = 8;

const Tables = ({ tables }: Pick<StatusDatabase, 'tables'>) => {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul className="status-tables" {...tips}>
        {(all ? tables : tables.slice(0, initialCount)).map((table) => (
          <Table key={table.name} table={table} largest={tables[0]?.bytes ?? 0} />
        ))}
      </ul>
      {tables.length > initialCount && (
        <button type="button" className="act no-truncate" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t(texts.fewer) : t(texts.more, tables.length - initialCount)}
        </button>
      )}
    </>
  );
};

export const DatabaseCard = ({ part }: { readonly part: StatusSection<StatusDatabase> }) => (
  <StatusCard name="database" part={part}>
    {({ bytes, day_growth_bytes, week_growth_bytes, connections, oldest_transaction_s, replica, tables }) => (
      <>
        <dl className="status-figures">
          <Figure label={t(texts.size)}>{bytesText(bytes)}</Figure>
          <Figure label={t(texts.dayGrowth)}>{growthText(day_growth_bytes)}</Figure>
          <Figure label={t(texts.weekGrowth)}>{growthText(week_growth_bytes)}</Figure>
          <Figure label={t(texts.connections)}>{t(texts.connectionUse, connections.used, connections.max)}</Figure>
          <Figure label={t(texts.transaction)}>{t(durationText(oldest_transaction_s))}</Figure>
          <Figure label={t(texts.replica)}>{replicaText(replica)}</Figure>
        </dl>
        <h3>{t(texts.tables)}</h3>
        <Tables tables={tables} />
      </>
    )}
  </StatusCard>
);
