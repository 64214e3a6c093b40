import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { copyText } from '../../ui/browser/copy.ts';
import { Button } from '../../ui/native/button.tsx';
import { CopyIcon } from '../../ui/theme/icons.ts';
import '../../ui/styles/batch.css';
import { t } from '../chrome/lang.ts';
import { notify } from '../chrome/notify.tsx';
import { Pages } from '../list/pages.tsx';

const texts = {
  success: ['成功 {0} 条', '{0} succeeded'],
  fail: ['失败 {0} 条', '{0} failed'],
  failed: ['失败明细', 'What failed'],
  row: ['数据', 'Row'],
  reason: ['失败原因', 'Reason'],
  copy: ['复制明细', 'Copy list'],
  copied: ['已复制', 'Copied'],
  notCopied: ['复制失败，请手动选择复制', 'Copying failed. Select the text and copy it.'],
} as const satisfies Record<string, Text>;

interface BatchTableProps {
  readonly result: BatchResult;
  readonly nameOf: (id: number) => string;
}

/** Result of a batch: counts, and every refused row with its reason. */
export const BatchTable = ({ result, nameOf }: BatchTableProps) => {
  const failed = result.list.filter((outcome) => !outcome.success).map(({ id, name = nameOf(id), message }) => ({ id, name, message }));
  const [page, setPage] = useState(1);
  const [size, setSize] = useState<number>(limits.limit);
  const copy = async () => {
    const done = await copyText(failed.map(({ name, message }) => `${name}\t${message}`).join('\n'));
    if (done) notify.success(t(texts.copied));
    else notify.warning(t(texts.notCopied));
  };
  return (
    <div>
      <p className="row batch-counts" role="status">
        <span className="point hue-green">{t(texts.success, result.success)}</span>
        <span className="point hue-red">{t(texts.fail, result.fail)}</span>
        <span className="spring" />
        {failed.length > 0 && (
          <Button size="small" icon={<CopyIcon aria-hidden />} onClick={() => void copy()}>
            {t(texts.copy)}
          </Button>
        )}
      </p>
      {failed.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className="batch-rows" tabIndex={0} aria-label={t(texts.failed)}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t(texts.row)}</th>
                <th scope="col">{t(texts.reason)}</th>
              </tr>
            </thead>
            <tbody>
              {failed.slice((page - 1) * size, page * size).map(({ id, name, message }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td>{message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {failed.length > limits.limit && (
        <Pages
          current={page}
          size={size}
          total={failed.length}
          onPage={setPage}
          sizes={limits.localPageSizes}
          onSize={(next) => {
            setPage(1);
            setSize(next);
          }}
        />
      )}
    </div>
  );
};
