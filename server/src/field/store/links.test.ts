import { Random } from '@farlink/contract/kit/random.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { type Message, storeMessages } from './store.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service?.close());

const names = ['off', 'on', 'abnormal'];
const hash = '44136fa355b3678a1146ad16f7e8649e';

/** Three boots of a gateway whose clock is corrected or jumps at times. */
const statusesOf = (random: Random, from: number) => {
  let at = from;
  return ['boota', 'bootb', 'bootc'].map((boot) => ({
    boot,
    statuses: Array.from({ length: random.int(2, 8) }, (_, n) => {
      at += random.chance(0.15) ? -random.int(1, 200) : random.int(0, 60);
      return { b: boot, n: n + 1, t: at, l: [{ i: 'lte', s: random.pick([0, 1, 2]) }] };
    }),
  }));
};

it('the log of a link is complete and in order, also with statuses that are repeated, late or of an earlier boot', async () => {
  const random = new Random(3);
  const { agent_id } = service.me;
  const count = 150;
  const devices = await service.deps.db
    .insertInto('device')
    .values(Array.from({ length: count }, (_, i) => ({ agent_id, name: `L${i}`, sn: `L${i}`, create_at: 1 })))
    .returning(['id', 'sn'])
    .execute();

  const messages = devices.map(({ id, sn }) => {
    const reported: { b: string; n: number; s: number }[] = [];
    const messages = statusesOf(random, service.clock.now() - 5000).flatMap(({ boot, statuses }, _, boots): Message[] => {
      const older = boots
        .slice(
          0,
          boots.findIndex((b) => b.boot === boot),
        )
        .flatMap((b) => b.statuses);
      const hello: Message = { sn, conn: boot, content: { kind: 'hello', body: { boot, fw: '01.00.00', h: hash } } };
      const noise = statuses.flatMap((status, i) => {
        const before = [...older, ...statuses.slice(0, i)];
        const again = before[random.int(0, before.length - 1)];
        return [status, ...(again && random.chance(0.5) ? [again] : [])];
      });
      reported.push(...statuses.map(({ b, n, l: [link] }) => ({ b, n, s: link?.s ?? 0 })));
      return [hello, ...noise.map((body): Message => ({ sn, conn: boot, content: { kind: 'status', body } }))];
    });
    return { id, sn, reported, messages };
  });
  while (messages.some(({ messages }) => messages.length > 0)) {
    const batch = messages.flatMap(({ messages }) => {
      const next = messages.findIndex(({ content: output }, i) => i > 0 && output.kind === 'hello');
      return messages.splice(0, Math.min(random.int(1, 3), next > 0 ? next : 3));
    });
    await storeMessages(service.deps.pool, service.clock.now(), 'node', batch);
  }

  const rows = await service.deps.db.selectFrom('wan_link_log').selectAll().orderBy('create_at').orderBy('id').execute();
  const lines = Map.groupBy(rows, (r) => r.device_id);
  for (const { id, sn, reported } of messages) {
    const line = lines.get(id) ?? [];
    const changes = reported.flatMap(({ s }, i) => (reported[i - 1]?.s === s ? [] : [names[s]]));
    expect(
      line.map((r) => r.link_state),
      sn,
    ).toEqual(changes);
    expect(line.map((r) => r.id)).toEqual(line.map((r) => r.id).toSorted((a, b) => a - b));
    for (const [i, { create_at, duration, link_state }] of line.entries()) {
      const next = line[i + 1];
      expect(duration, sn).toBe(next ? next.create_at - create_at : null);
      expect(next?.state_before, sn).toBe(next && link_state);
    }
  }
});
