import { cardCalls } from '@farlink/contract/card/card.ts';
import { cardExportCalls } from '@farlink/contract/card/card-export.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { errors } from '@farlink/contract/errors.ts';
import { exportCalls, exportState } from '@farlink/contract/export/export.ts';
import { type Endpoint, operateKey } from '@farlink/contract/kit/endpoint.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, grantsOf } from '../../../test/api.ts';
import { type CardFixture, openCardFixture } from '../../../test/card-fixture.ts';
import { linesOf, readPdf } from '../../../test/setup/read-pdf.ts';
import { uploadFile } from '../../../test/upload.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';

let billing: CardFixture;
let east: Caller;
beforeAll(async () => {
  billing = await openCardFixture();
  east = billing.east;
});
afterAll(() => billing.api.close());

const download = async (by: Caller, id: number) =>
  fetch(`${billing.api.base}/agt/v1/export/download/${id}?lang=zh`, { headers: { authorization: by.session?.token ?? '' } });
const bytesOf = async (by: Caller, id: number) => Buffer.from(await (await download(by, id)).arrayBuffer());
/** Requests an export, runs the job and returns the lines of the file. */
const exported = async (by: Caller, call: Endpoint, input: object) => {
  const reply = await by.call(call, { format: 'csv', ...input });
  if (reply.code !== 0) throw new Error(JSON.stringify(reply));
  const id = Number(Object(reply.data).job_id);
  await billing.runJobs();
  return { id, lines: (await bytesOf(by, id)).toString('utf8').replace('\ufeff', '').trim().split('\r\n') };
};
const makeCashier = async (name: string, grants: Record<string, '00' | '10' | '11'>) => {
  await makeStaff(east, name, await makeRole(east, name, grants));
  return billing.api.login(name);
};

describe('an export of batches', () => {
  it('contains every card of the selected batches with its password, and is recorded in the operator log', async () => {
    const one = await billing.make({ remark: 'a' });
    const two = await billing.make();
    await billing.make();
    const { id, lines } = await exported(east, cardRuleCalls.export, { ids: [one.id, two.id] });
    expect(lines).toHaveLength(7);
    expect(lines[0]).toContain('卡号,卡密,制卡批次,卡类型');
    for (const card of [...one.cards, ...two.cards])
      expect(lines.find((line) => line.startsWith(`${card.number},`))).toContain(card.password);
    const list = (await east.call(cardRuleCalls.list)).data.list;
    expect(list.map((r) => [r.id === one.id || r.id === two.id, r.export_status])).toEqual([
      [false, exportState.id('waiting')],
      [true, exportState.id('succeeded')],
      [true, exportState.id('succeeded')],
    ]);
    const log = await billing.api.db.selectFrom('syslog').selectAll().where('action', '=', 'export').executeTakeFirstOrThrow();
    expect(log.content_zh).toMatch(/^导出制卡批次 C\d+ 等2批（含卡密）$/);
    const [task] = (await east.call(cardExportCalls.list)).data.list;
    expect(task).toMatchObject({
      id,
      kind: 'rule',
      job_id: String(id),
      status: 1,
      progress: 100,
      total: 6,
      file_url: `export/download/${id}`,
      agent_name: 'VNO east',
      operator: '测试人',
    });
    expect(task?.condition).toMatch(/^制卡批次：C\d+, C\d+$/);
    expect(task?.file_name).toMatch(/\.csv$/);
  });

  it('checks the rights when it runs: no file without the page, no passwords without the right to reveal them', async () => {
    const { id, card } = await billing.make();
    const narrowed = async (name: string, grants: Record<string, '00' | '10' | '11'>, format: 'csv' | 'pdf') => {
      const role = await makeRole(east, name, grantsOf(['card_manage', 'card_all']));
      await makeStaff(east, name, role);
      const cashier = await billing.api.login(name);
      const { job_id } = (await cashier.call(cardRuleCalls.export, { ids: [id], format })).data;
      expect((await east.call(staffRoles.calls.update, { id: role, version: 1, permissions: grants })).code).toBe(0);
      await billing.runJobs();
      const file = await download(await billing.api.login(name), job_id);
      return { status: file.status, text: await file.text() };
    };
    const blind = { ...grantsOf(['card_manage', 'card_all']), [operateKey(cardCalls.reveal)]: '00' as const };
    expect((await narrowed('left', grantsOf(['bill_counter']), 'csv')).status).toBe(errors.export_not_ready.status);
    expect((await narrowed('blind_print', blind, 'pdf')).status).toBe(errors.export_not_ready.status);
    const { text } = await narrowed('blind', blind, 'csv');
    expect([text.includes(card.number), text.includes(card.password)]).toEqual([true, false]);
  });

  it('that is removed resets the export state of the batch', async () => {
    const { id: ruleId } = await billing.make();
    const { id } = await exported(east, cardRuleCalls.export, { ids: [ruleId] });
    expect((await east.call(exportCalls.remove, { id })).code).toBe(0);
    expect((await east.call(cardRuleCalls.read, { id: ruleId })).data.export_status).toBe(exportState.id('waiting'));
  });
});

describe('an export of cards', () => {
  it('contains the filtered rows, and its task describes the filters', async () => {
    const { id: rule_id, card, cards } = await billing.make();
    await billing.change([card.id], { status: 'disabled' });
    const { lines } = await exported(east, cardCalls.export, { rule_id, status: 'unused', denomination: '40', cond_denomination: 'gt' });
    expect(
      lines
        .slice(1)
        .map((line) => line.split(',')[0])
        .toSorted(),
    ).toEqual(
      cards
        .slice(1)
        .map((c) => c.number)
        .toSorted(),
    );
    const [task] = (await east.call(cardExportCalls.list, { kind: 'card', lang: 'en' })).data.list;
    expect(task).toMatchObject({ kind: 'card', total: 2 });
    expect(task?.condition).toMatch(/^Batch: C\d+; Status: Unused; Denomination > 40.00$/);
  });

  it('without matching cards is refused at once', async () => {
    expect((await east.call(cardCalls.export, { number: '0000000' })).code).toBe(errors.export_empty.code);
  });

  it('has no passwords and no PDF format without the right to reveal passwords', async () => {
    const { id, card } = await billing.make();
    const cashier = await makeCashier('counter', { ...grantsOf(['card_all', 'card_manage']), 'post_recharge_card/reveal': '00' });
    for (const [call, input] of [
      [cardCalls.export, { rule_id: id }],
      [cardRuleCalls.export, { ids: [id] }],
    ] as const) {
      const { lines } = await exported(cashier, call, input);
      expect(lines[0]).not.toContain('卡密');
      expect(lines.join()).toContain(card.number);
      expect(lines.join()).not.toContain(card.password);
      expect(lines.join()).not.toContain('v1.');
      expect((await cashier.call(call, { ...input, format: 'pdf' })).data).toEqual({ fields: { format: errors.denied.text[0] } });
    }
    expect((await east.call(cardRuleCalls.read, { id })).data.revealed_at).toBeNull();
  });
});

describe('the log of exports', () => {
  it('shows the exports of the branch to operators of the page, and the file only to the requester', async () => {
    const { id: ruleId } = await billing.make();
    const { id } = await exported(billing.child, cardCalls.export, { rule_id: (await billing.make({}, billing.child)).id });
    const seen = (await east.call(cardExportCalls.list, { operator: '测试' })).data.list;
    expect(seen.find((task) => task.id === id)).toMatchObject({ agent_name: 'VNO child', file_url: null });
    expect((await download(east, id)).status).toBe(404);
    expect((await download(billing.child, id)).status).toBe(200);
    expect((await billing.west.call(cardExportCalls.list)).data.total).toBe(0);
    expect((await billing.child.call(cardRuleCalls.export, { ids: [ruleId] })).code).toBe(errors.not_found.code);
  });
});

/** Lines of a page whose first characters are below a logo. */
const coveredLines = (content: string): string[] => {
  const logos = [...content.matchAll(/q (\S+) 0 0 (\S+) (\S+) (\S+) cm \/I1 Do/g)].map((match) => match.slice(1).map(Number));
  const lines = [...content.matchAll(/BT (\S+) (\S+) Td \/\w+ (\d+) Tf [^\n]*/g)];
  return lines.flatMap(([line, left, baseline, size]) => {
    const x = Number(left);
    const y = Number(baseline);
    const top = Number(baseline) + 0.88 * Number(size);
    return logos.some(([w = 0, h = 0, lx = 0, ly = 0]) => x >= lx && x < lx + w && top > ly && y < ly + h) ? [line] : [];
  });
};

describe('the print sheet', () => {
  it('has ten cards per page with number, password, price, package and expiry date, without voided cards', async () => {
    const cards = [{ card_type: 'package', package_id: billing.packageId, period: 2, count: 23 }];
    const made = await billing.make({ cards: [{ ...cards[0], count: 24 }] });
    const voided = made.cards.pop();
    if (!voided) throw new Error('no card');
    await billing.change([voided.id], { status: 'disabled' });
    const { id } = await exported(east, cardRuleCalls.export, { ids: [made.id], format: 'pdf' });
    const reply = await download(east, id);
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    const { pages } = readPdf(Buffer.from(await reply.arrayBuffer()));
    expect(pages).toHaveLength(3);
    const lines = pages.map(({ content }) => linesOf(content));
    const grouped = (text: string) => text.match(/.{4}/g)?.join(' ');
    for (const card of made.cards) {
      const page = lines.find((all) => all.includes(grouped(card.number) ?? ''));
      expect(page?.[page.indexOf(grouped(card.number) ?? '') + 1]).toBe(grouped(card.password));
    }
    expect(lines[0]?.filter((line) => line === 'VNO east')).toHaveLength(10);
    expect(lines[2]?.filter((line) => line === 'VNO east')).toHaveLength(3);
    expect(lines[0]).toContain('¥60.20');
    expect(lines[0]).toContain('月租 10GB × 2 个周期');
    expect(lines[0]?.some((line) => /^有效期至 \d{4}-\d\d-\d\d \(UTC\+8\)$/.test(line))).toBe(true);
    expect(pages[0]?.content).toContain('[3 3] 0 d');
  });

  it('shows the logo of the VNO or of the VNO above it, or else the name of the VNO', async () => {
    const { api, eastId } = billing;
    const frame = [0xff, 0xc0, 0, 17, 8, 0, 60, 0, 190, 3, ...Array(9).fill(0)];
    const logo = Buffer.from([0xff, 0xd8, ...frame, 0xff, 0xd9]);
    const { Readable } = await import('node:stream');
    await openFileStore(api.deps.config).put('logo/east.jpg', Readable.from([logo]), logo.length);
    const set = (key: string | null) => api.db.updateTable('agent').set({ logo: key }).where('id', '=', eastId).execute();
    const made = await billing.make({ cards: [{ card_type: 'package', package_id: billing.packageId, period: 2, count: 3 }] });
    const print = async () =>
      readPdf(await bytesOf(east, (await exported(east, cardRuleCalls.export, { ids: [made.id], format: 'pdf' })).id));
    await set('logo/east.jpg');
    const { pages, objects } = await print();
    expect(objects.filter((o) => o.includes('/Width 190/Height 60'))).toHaveLength(1);
    expect(pages[0]?.content.match(/\/I1 Do/g)).toHaveLength(3);
    expect(linesOf(pages[0]?.content ?? '')).not.toContain('VNO east');
    expect(coveredLines(pages[0]?.content ?? '')).toEqual([]);
    const upload = await sharp({ create: { width: 200, height: 50, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    const above = await api.login('admin');
    expect((await uploadFile(api, above, infoCalls.agentLogo, upload, 'logo.png')).code).toBe(0);
    await set(null);
    // A PNG is converted, and the logo of the VNO above is inherited.
    expect((await print()).objects.filter((o) => o.includes('/Width 200/Height 50'))).toHaveLength(1);
    expect((await above.call(infoCalls.removeAgentLogo)).code).toBe(0);
    await set('logo/gone.jpg');
    expect(linesOf((await print()).pages[0]?.content ?? '')).toContain('VNO east');
    await set(null);
  });
});
