import { type LoadPoint, load } from '@farlink/contract/device/load.ts';
import type { Fields } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { Cell } from '../../../kit/list/cell.tsx';
import { Pages } from '../../../kit/list/pages.tsx';
import '../../../ui/styles/table.css';

const title: Text = ['采样数据', 'Samples'];
const fields: Fields = load.fields;

/** The points of the chart as a table, newest first. */
export const LoadTable = ({ points }: { readonly points: readonly LoadPoint[] }) => {
  const [page, setPage] = useState(1);
  const size = limits.limit;
  const last = Math.max(1, Math.ceil(points.length / size));
  const shown = points.toReversed().slice((Math.min(page, last) - 1) * size, Math.min(page, last) * size);
  const values = (point: LoadPoint): Readonly<Record<string, unknown>> => ({ ...point });
  return (
    <>
      <div className="table-frame">
        <table className="data-table compact" aria-label={t(title)}>
          <thead>
            <tr>
              {load.columns.map((name) => (
                <th key={name} scope="col">
                  {t(load.fields[name].label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((point) => (
              <tr key={point.id}>
                {load.columns.map((name) => (
                  <td key={name}>{fields[name] && <Cell field={fields[name]} value={values(point)[name]} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="load-pager">
        <Pages current={Math.min(page, last)} size={size} total={points.length} onPage={setPage} />
      </div>
    </>
  );
};
