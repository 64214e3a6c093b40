import { loadCalls } from '@farlink/contract/device/load.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { durationText } from '@farlink/contract/kit/units.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useQueryClient } from '@tanstack/react-query';
import { t } from '../../../kit/chrome/lang.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { useMe } from '../../../kit/net/session.ts';
import { Button } from '../../../ui/native/button.tsx';
import { ShadowTag } from './shadow-tag.tsx';
import { useInterval } from './use-device.ts';

const texts = {
  every: ['采集周期 {0}', 'Sampled every {0}'],
  change: ['修改', 'Change'],
  again: ['重新下发', 'Send again'],
} as const satisfies Record<string, Text>;

/** Sampling interval of the gateway, its shadow state, and the button to change it. */
export const IntervalLine = ({ id, onChange }: { readonly id: number; readonly onChange: () => void }) => {
  const me = useMe();
  const client = useQueryClient();
  const { data } = useInterval(id);
  if (!data) return null;
  const { interval, shadow } = data;
  const isAstray = shadow.state === 'failed' || shadow.state === 'drifted';
  const sendAgain = async () => {
    try {
      await call(loadCalls.setInterval, { device_id: id, interval });
      await client.invalidateQueries({ queryKey: ['device', 'interval', id] });
    } catch (error) {
      // The error is already shown by `call`.
      if (!(error instanceof CallError)) throw error;
    }
  };
  return (
    <>
      <span>{t(texts.every, durationText(interval))}</span>
      {shadow.state !== 'none' && <ShadowTag shadow={shadow} />}
      {mayCall(loadCalls.setInterval, me) && (
        <>
          {isAstray && <Button onClick={() => void sendAgain()}>{t(texts.again)}</Button>}
          <Button onClick={onChange}>{t(texts.change)}</Button>
        </>
      )}
    </>
  );
};
