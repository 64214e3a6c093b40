import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../pending/outgoing.ts';
import type { Delivered } from '../store/tx.ts';
import { Outbox } from './outbox.ts';

const command = (id: string): Outgoing => ({ key: id, tail: `c/${id}`, body: '{}', sent: { kind: 'sent_command', id } });

const open = (window: number) => {
  const written: { id: number; tail: string }[] = [];
  const acknowledged: Delivered[] = [];
  const outbox = new Outbox({
    sn: 'BOX1',
    window,
    write: (id, topic) => written.push({ id, tail: topic.replace(downTopic('BOX1', ''), '') }),
    acknowledged: (sent) => acknowledged.push(sent),
  });
  outbox.subscribe(downTopic('BOX1', '#'));
  return { outbox, written, acknowledged };
};

describe('messages to a gateway', () => {
  test('are limited to the number that the gateway accepts at a time', () => {
    const { outbox, written, acknowledged } = open(2);
    const all = ['a', 'b', 'c', 'd', 'e'].map(command);
    outbox.offer(all, 0);
    expect(written.map((w) => w.tail)).toEqual(['c/a', 'c/b']);
    outbox.acked(written[0]?.id ?? 0);
    expect(written.map((w) => w.tail)).toEqual(['c/a', 'c/b', 'c/c']);
    expect(acknowledged).toEqual([{ kind: 'sent_command', id: 'a' }]);
    // An unknown acknowledgement frees no slot.
    outbox.acked(4711);
    expect(written).toHaveLength(3);
  });

  test('are sent again after two minutes, then after four more minutes, without a reply', () => {
    const { outbox, written } = open(16);
    const at = (ms: number) => {
      outbox.offer([command('a')], ms);
      outbox.acked(written.at(-1)?.id ?? 0);
      return written.length;
    };
    expect([0, 1000, 119_999, 120_000, 359_999, 360_000].map(at)).toEqual([1, 1, 1, 2, 2, 3]);
    expect(outbox.hasUnacked).toBe(true);
    outbox.offer([], 400_000);
    expect(outbox.hasUnacked).toBe(false);
  });

  test('are not sent to a client without the subscription', () => {
    const { outbox, written } = open(16);
    outbox.unsubscribe(downTopic('BOX1', '#'));
    outbox.subscribe(downTopic('BOX1', 'cfg/#'));
    outbox.offer([command('a')], 0);
    outbox.sendOnce('a', '{}');
    expect(written).toEqual([]);
    expect(outbox.hasUnacked).toBe(false);
  });
});
