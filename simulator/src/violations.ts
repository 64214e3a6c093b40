import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import { type Client, Closed } from './client.ts';

export const violations = ['oversize', 'garbage', 'breach', 'flood'] as const;
export type Violation = (typeof violations)[number];

const event = (n: number) => JSON.stringify({ id: `0000-${n}`, k: 'lock', t: 0, lock: 'x' });

/** Breaks a protocol rule once. Resolves with the reason code, and whether the console closed the connection. */
export const breakRule = async (
  client: Client,
  sn: string,
  violation: Violation,
  victim = 'OTHER',
): Promise<{ code: number; closed: boolean }> => {
  const sends: Record<Violation, () => Promise<number>> = {
    oversize: () => client.publish(upTopic(sn, 'e'), JSON.stringify({ x: 'x'.repeat(70_000) })),
    garbage: () => client.publish(upTopic(sn, 's'), '{broken'),
    breach: () => client.publish(upTopic(victim, 'e'), event(1)),
    flood: async () => Math.max(...(await Promise.all(Array.from({ length: 40 }, (_, n) => client.publish(upTopic(sn, 'e'), event(n)))))),
  };
  try {
    return { code: await sends[violation](), closed: false };
  } catch (error) {
    if (!(error instanceof Closed)) throw error;
    return { code: error.reason ?? 0, closed: true };
  }
};
