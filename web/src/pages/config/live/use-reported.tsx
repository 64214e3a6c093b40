import { type PageReading, watchCalls, watchState } from '@farlink/contract/config/watch.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { lang, t } from '../../../kit/chrome/lang.ts';
import { call } from '../../../kit/net/call.ts';
import { relativeText } from '../../../ui/format.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { configKey } from '../use-config.ts';

const texts = {
  read: ['读取网关状态', 'Read from the gateway'],
  at: ['网关状态：{0}', 'Reported {0}'],
} as const satisfies Record<string, Text>;

const pollMs = 1500;
const nothing: ReadonlyMap<string, Values> = new Map();

const rowsOf = (page: GatewayPage, reading: PageReading | undefined): ReadonlyMap<string, Values> =>
  reading ? new Map(reading.rows.map((row) => [String(row[page.keyField ?? ''] ?? ''), row])) : nothing;

interface Reported {
  /** By row key; a form uses the empty key. */
  readonly rows: ReadonlyMap<string, Values>;
  /** Button that requests the values, and shows their age. */
  readonly control: ReactNode;
}

/** Values that the gateway reports for a page. The last known values are shown; a new request needs a click. */
export const useReported = (device_id: number, page: GatewayPage): Reported => {
  const isRequested = useRef(false);
  const [hasRequested, setHasRequested] = useState(false);
  const hasReported = Object.values(page.fields).some(({ reported }) => reported);
  const { data, refetch } = useQuery({
    queryKey: [...configKey(device_id), 'reported', page.key],
    queryFn: () => {
      const ask = isRequested.current;
      isRequested.current = false;
      return call(watchCalls.watch, { device_id, page: page.key, ask }, { silent: true, overlay: false });
    },
    enabled: hasReported,
    refetchInterval: ({ state }) => (hasRequested && state.data?.state === 'waiting' ? pollMs : false),
  });
  // Requested on click only, not at each reload of the configuration.
  const request = () => {
    isRequested.current = true;
    setHasRequested(true);
    void refetch();
  };
  const state = data && watchState.find(({ id }) => id === data.state);
  return {
    rows: rowsOf(page, data),
    control: hasReported && (
      <span className="reported-control">
        {data && data.at !== null && <span className="muted">{t(texts.at, relativeText(data.at, lang))}</span>}
        {data?.state === 'waiting' && state && <span className="muted">{t(state.label)}</span>}
        <ActButton label={t(texts.read)} onClick={request} />
      </span>
    ),
  };
};
