import { dangerListState } from '@farlink/contract/advanced/danger-gateway.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { numberText } from '../../../ui/format.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Point } from '../../../ui/native/tag.tsx';
import { useDangerListState } from './use-list-state.ts';

const texts = {
  title: ['网关名单', 'Lists on gateways'],
  revision: ['版本 {0}，启用 {1} 条', 'Revision {0}, {1} enabled'],
  open: ['查看网关', 'Show gateways'],
  import: ['上次导入', 'Last import'],
} as const satisfies Record<string, Text>;

interface ListOnGatewaysProps {
  readonly onOpen: () => void;
  readonly onImport: (id: number) => void;
}

/** Revision of the list, how many gateways have it, and the last import. */
export const ListOnGateways = ({ onOpen, onImport }: ListOnGatewaysProps) => {
  const { data } = useDangerListState();
  const importId = data?.import_id ?? null;
  return (
    <section className="danger-delivery" aria-label={t(texts.title)}>
      <h2>{t(texts.title)}</h2>
      <p className="row wrap">
        {data && <span>{t(texts.revision, numberText(data.rev), numberText(data.count))}</span>}
        <Button kind="link" size="small" onClick={onOpen}>
          {t(texts.open)}
        </Button>
        {importId !== null && (
          <Button kind="link" size="small" onClick={() => onImport(importId)}>
            {t(texts.import)}
          </Button>
        )}
      </p>
      <p className="row wrap">
        {data &&
          dangerListState
            .filter(({ id }) => id === 'applied' || data.gateways[id] > 0)
            .map(({ id, label, color }) => (
              <Point key={id} color={color}>
                {t(label)} {numberText(data.gateways[id])}
              </Point>
            ))}
      </p>
    </section>
  );
};
