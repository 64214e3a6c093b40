import { buffer } from 'node:stream/consumers';
import { limits } from '@farlink/contract/limits.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makeBranches } from '../../../test/world.ts';
import { Refusal } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { feedbackOf } from './feedback-of.ts';
import { type NewFeedback, submitFeedback } from './submit-feedback.ts';

let api: Api;
let east: number;
let deviceId: number;
let subscriberId: number;

beforeAll(async () => {
  api = await startApi();
  ({ eastId: east } = await makeBranches(api));
  const device = { agent_id: east, name: 'Ship', sn: 'SHIP-1', create_at: 1 };
  deviceId = (await api.db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow()).id;
  const row = subscriberRow({ agent_id: east, account: 'crew1', name: 'Crew', device_id: deviceId });
  subscriberId = (await api.db.insertInto('subscriber').values(row).returning('id').executeTakeFirstOrThrow()).id;
});
afterAll(() => api.close());

const png = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#2f6fed' } })
    .png()
    .toBuffer();

const input = (more: Partial<NewFeedback> = {}): NewFeedback => ({
  agent_id: east,
  device_id: deviceId,
  subscriber_id: subscriberId,
  account: 'crew1',
  phone: '13800000001',
  type: 'network',
  level: 'urgent',
  content: '网络很慢',
  attachments: [],
  ...more,
});

const submit = (more?: Partial<NewFeedback>) => submitFeedback(api.deps, input(more));
/** Fields of the refusal, or its name. */
const refusal = async (more: Partial<NewFeedback>) => {
  const error = await submit(more).catch((thrown: unknown) => thrown);
  if (!(error instanceof Refusal)) throw new Error('was not refused');
  return error.details.fields ? Object.keys(error.details.fields) : error.reason;
};

describe('the feedback of a subscriber', () => {
  it('is stored with its device, and its images are re-encoded', async () => {
    const dirty = Buffer.concat([await png(), Buffer.from('<script>alert(1)</script>')]);
    const { id } = await submit({ content: '  网络很慢 ', attachments: [dirty, await png()] });
    const row = await api.db.selectFrom('feedback').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ content: '网络很慢', sn: 'SHIP-1', status: 0, attach_count: 2, create_at: api.clock.now() });
    const images = await api.db.selectFrom('feedback_image').selectAll().where('feedback_id', '=', id).orderBy('position').execute();
    expect(images).toMatchObject([
      { position: 0, mime: 'image/png', width: 60, height: 40 },
      { position: 1, mime: 'image/png' },
    ]);
    const stored = await buffer(await openFileStore(api.deps.config).get(images[0]?.file_key ?? ''));
    expect(stored.length).toBe(images[0]?.size);
    expect(stored.includes('<script>')).toBe(false);
    const open = await api.db.selectFrom('job').select('id').where('kind', '=', 'remove_file').where('state', '=', 'waiting').execute();
    expect(open).toEqual([]);
  });

  it('is refused without text, with too long a text, an unknown type or a wrong phone', async () => {
    expect(await refusal({ content: ' ' })).toEqual(['content']);
    expect(await refusal({ content: 'x'.repeat(limits.feedbackMax + 1) })).toEqual(['content']);
    expect(await refusal({ content: 'a\u0000b' })).toEqual(['content']);
    expect(await refusal({ phone: 'call me' })).toEqual(['phone']);
    expect(await refusal(JSON.parse('{"type":"other"}'))).toEqual(['type']);
    await expect(submit({ content: '字'.repeat(limits.feedbackMax), account: 'crew-long' })).resolves.toHaveProperty('id');
  });

  it('is refused with files that are not images', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const html = Buffer.from('<!doctype html><script>alert(1)</script>');
    const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
    const gif = Buffer.from('47494638396101000100800000ffffff0000002c00000000010001000002024401003b', 'hex');
    const headOnly = (await png()).subarray(0, 24);
    const bomb = await png(6000, 6000);
    for (const bytes of [svg, html, exe, gif, headOnly, bomb, Buffer.alloc(0), Buffer.alloc(limits.imageBytes + 1)])
      expect(await refusal({ attachments: [bytes], account: 'crew-hostile' })).toEqual(['attachments']);
    const many = await Promise.all(Array.from({ length: limits.feedbackImages + 1 }, () => png()));
    expect(await refusal({ attachments: many, account: 'crew-hostile' })).toEqual(['attachments']);
    const ofAccount = await api.db.selectFrom('feedback').select('id').where('account', '=', 'crew-hostile').execute();
    expect(ofAccount).toEqual([]);
  });

  it('is limited per account and per client in a day, also for requests at the same time', async () => {
    const all = await Promise.allSettled(Array.from({ length: limits.feedbackPerDay + 5 }, () => submit({ account: 'Busy' })));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.feedbackPerDay);
    expect(await refusal({ account: 'bUSY' })).toBe('too_many_feedback');
    const mac = 'AA:BB:CC:00:11:22';
    for (let i = 0; i < limits.feedbackPerDay; i++) await submit({ account: `guest${i}`, mac });
    expect(await refusal({ account: 'guest-new', mac: mac.toLowerCase() })).toBe('too_many_feedback');
    api.clock.advance(86_401);
    await expect(submit({ account: 'busy', mac })).resolves.toHaveProperty('id');
  });

  it('is shown to the subscriber with the answer, newest first', async () => {
    const { id } = await submit({ content: '第二条', type: 'portal', level: 'general' });
    await api.db.updateTable('feedback').set({ remark: 'internal' }).where('id', '=', id).execute();
    const [newest] = await feedbackOf(api.db, subscriberId);
    expect(newest).toEqual({
      id,
      type: 'portal',
      level: 'general',
      content: '第二条',
      create_at: api.clock.now(),
      status: 0,
      remark: null,
      handle_at: null,
    });
    await api.db.updateTable('feedback').set({ status: 1, remark: '已恢复', handle_at: 5, handler: 'x' }).where('id', '=', id).execute();
    expect((await feedbackOf(api.db, subscriberId))[0]).toMatchObject({ id, status: 1, remark: '已恢复', handle_at: 5 });
    expect(await feedbackOf(api.db, subscriberId + 1)).toEqual([]);
  });
});
