import { tempReleaseCalls } from '@farlink/contract/advanced/temp-release.ts';
import { groupCalls } from '@farlink/contract/device/group.ts';
import { langs, say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator } from '@playwright/test';
import { newGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { takeTurns } from './support/story-langs.ts';
import { rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const mac = '02:00:00:00:00:01';
const limits = { pass_time: 300, pass_count: 1, lock_time: 600, refresh_time: 3600, limit_up: 0, limit_down: 0, status: 1 };

for (const lang of langs) {
  const inTurn = takeTurns(lang);
  const t = (zh: string, en: string) => say([zh, en], lang);
  const labels = {
    create: t('新增规则', 'New rule'),
    name: t('规则名称', 'Rule name'),
    device: t('指定设备', 'Specified devices'),
    group: t('指定设备组', 'Specified groups'),
    devices: t('指定设备', 'Devices'),
    groups: t('指定设备组', 'Device groups'),
    records: t('放行记录', 'Release records'),
  };
  const chooseTarget = async (form: Locator, label: string, name: string) => {
    await line(form, label).last().getByPlaceholder(t('搜索', 'Search')).fill(name);
    await line(form, label)
      .last()
      .getByRole('button', { name: new RegExp(name) })
      .click();
  };

  inTurn(test)(`creates rules for all, for devices and for groups, edits and deletes them (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const gateway = await newGateway({ vno, version: '03.02.01' });
    const group = unique('G');
    await vno.call(groupCalls.create, { name: group });
    const all = unique('A');
    const one = unique('D');
    const some = unique('S');
    await loginAt(page, vno, '/advanced/temp-release', { lang, theme: lang === 'en' ? 'dark' : 'light' });
    const form = dialog(page, t('新增临时放行规则', 'New temporary-release rule'));
    const open = async (name: string) => {
      await page.getByRole('main').getByRole('button', { name: labels.create }).click();
      await input(form, labels.name).fill(name);
    };

    await open(all);
    await input(form, t('超限锁定时长（秒）', 'Over-limit lock time (s)')).fill('86401');
    await confirm(form, lang);
    await expect(refusal(form, t('超限锁定时长（秒）', 'Over-limit lock time (s)'))).toBeVisible();
    await input(form, t('超限锁定时长（秒）', 'Over-limit lock time (s)')).fill('900');
    await expectAccessible(page);
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(t('新增规则成功', 'New rule: done'));
    await expect(rowOf(page, all)).toContainText(t('全部设备', 'All devices'));
    await expect.poll(async () => (await gateway.groundTruth()).sections.release?.doc).toMatchObject({ t: 300, lock: 900 });

    await open(unique('A'));
    await confirm(form, lang);
    await expect(refusal(form, t('适用范围', 'Applies to'))).toHaveText(
      t('已有适用于全部设备的规则', 'There is already a rule for all devices'),
    );
    await input(form, labels.name).fill(one);
    await form.getByRole('radio', { name: labels.device, exact: true }).check();
    await chooseTarget(form, labels.devices, gateway.sn);
    await expectAccessible(page);
    await confirm(form, lang);
    await expect(rowOf(page, one)).toContainText(labels.device);

    await open(unique('D'));
    await form.getByRole('radio', { name: labels.device, exact: true }).check();
    await chooseTarget(form, labels.devices, gateway.sn);
    await confirm(form, lang);
    await expect(refusal(form, labels.devices).last()).toContainText(t('已在其他规则中', 'is already in another rule'));
    await input(form, labels.name).fill(some);
    await form.getByRole('radio', { name: labels.group, exact: true }).check();
    await chooseTarget(form, labels.groups, group);
    await confirm(form, lang);
    await expect(rowOf(page, some)).toContainText(labels.group);
    await expectAccessible(page);

    await runAction(rowOf(page, one), t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑临时放行规则', 'Edit temporary-release rule'));
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await input(edit, t('放行时长（秒）', 'Release time (s)')).fill('120');
    await input(edit, t('下行限速（kbps）', 'Down limit (kbps)')).fill('1024');
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('编辑成功', 'Edit: done'));
    const { list } = await vno.call(tempReleaseCalls.list, { page: 1, limit: 10 });
    const saved = list.find((row) => row.name === one);
    expect(saved).toMatchObject({ target: 'device', pass_time: 120, limit_down: 128, target_names: [gateway.sn] });
    await expect.poll(async () => (await gateway.groundTruth()).sections.release?.doc).toMatchObject({ id: saved?.id, t: 120, down: 128 });

    await runAction(rowOf(page, one), t('删除', 'Delete'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(rowOf(page, one)).toHaveCount(0);
    await expect(rows(page)).toHaveCount(2);
    await expect.poll(async () => (await gateway.groundTruth()).sections.release?.doc).toMatchObject({ t: 300 });
  });

  inTurn(test)(`shows the releases and refusals of gateways (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const gateway = await newGateway({ vno, version: '03.02.01', links: ['6d'] });
    const name = unique('D');
    const { id } = await vno.call(tempReleaseCalls.create, { name, target: 'device', device_ids: [gateway.deviceId], ...limits });
    await expect.poll(async () => (await gateway.groundTruth()).sections.release?.doc).toMatchObject({ id });
    expect(await gateway.release(mac, { up: 1024, down: 2 * 1024 ** 2 })).toMatchObject({ ok: true });
    await gateway.pass(301);
    expect(await gateway.release(mac)).toMatchObject({ ok: false, reason: 'count', until: expect.any(Number) });
    await expect.poll(async () => (await vno.call(tempReleaseCalls.records, { rule_id: id })).total).toBe(3);

    await loginAt(page, vno, '/advanced/temp-release', { lang });
    await runAction(rowOf(page, name), labels.records);
    const panel = dialog(page, `${labels.records} · ${name}`);
    const lines = panel.locator('tbody tr').filter({ hasText: mac });
    await expect(lines).toHaveCount(3);
    const ended = lines.filter({ hasText: t('到时', 'Time over') });
    await expect(ended).toContainText('2 MB');
    await expect(lines.filter({ hasText: t('已拒绝', 'Refused') })).toContainText(t('次数用完', 'Count used up'));
    await expect(lines.filter({ hasText: t('已放行', 'Released') })).toContainText(gateway.sn);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);

    await page.getByRole('main').getByRole('button', { name: labels.records, exact: true }).click();
    await expect(dialog(page, labels.records).locator('tbody tr').filter({ hasText: name })).toHaveCount(3);
  });
}
