import { apNotifyCalls } from '@farlink/contract/advanced/ap-notify.ts';
import { mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import { statusNotifyCalls } from '@farlink/contract/advanced/status-notify.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { as } from './support/api.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { openSink } from './support/mail-sink.ts';
import { choose, rowOf, take } from './support/table.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

/** A device of the demo world that nobody is told of yet; each test has its own. */
const quietDevice = async (nth: number) => {
  const by = await as('highland');
  const found = Object.entries(await by.call(deviceCalls.option))[nth];
  if (!found) throw new Error('the demo world has too few devices');
  const device_id = Number(found[0]);
  for (const calls of [statusNotifyCalls, apNotifyCalls])
    for (const { id } of (await by.call(calls.list, { device_id, limit: 100 })).list) await by.call(calls.remove, { id });
  return { by, device_id, label: found[1] };
};

const typeMailboxes = async (page: Page, field: Locator, mailboxes: readonly string[]) => {
  await field.getByRole('combobox').click();
  for (const mailbox of mailboxes) {
    await page.keyboard.type(mailbox);
    await page.keyboard.press('Enter');
  }
};

test('an operator has somebody told about a device: at most three mailboxes, none twice, switched off and on', async ({ page }) => {
  const { by, device_id, label } = await quietDevice(0);
  const mailbox = (name: string) => `${name}@${unique('sea')}.cn`;
  const [first, second, third] = [mailbox('a'), mailbox('b'), mailbox('c')];
  await sitAt(page, by, '/advanced/device-status-notify');
  await expect(page.getByRole('status')).toContainText('均未启用邮件服务器');
  await expectAccessible(page);

  await page.getByRole('button', { name: '新增通知' }).click();
  const made = dialog(page, '新增通知');
  await confirm(made);
  await expect(refusal(made, '通知事件')).toHaveText('请选择通知事件');
  await choose(made, '设备', label);
  await made.getByRole('checkbox', { name: '设备离线' }).check();
  await made.getByRole('checkbox', { name: '授权到期' }).check();
  await typeMailboxes(page, line(made, '通知邮箱'), [first, second, third, 'x@y.cn']);
  await confirm(made);
  await expect(refusal(made, '通知邮箱')).toHaveText('每台设备最多3个通知邮箱');
  const removes = line(made, '通知邮箱').locator('.ant-select-selection-item-remove');
  await removes.last().click();
  await removes.last().click();
  await expect(removes).toHaveCount(2);
  await confirm(made);
  await expect(notice(page)).toHaveText('新增通知成功');
  const row = rowOf(page, first.slice(0, 5));
  await expect(row).toContainText('设备离线');

  await page.getByRole('button', { name: '新增通知' }).click();
  const again = dialog(page, '新增通知');
  await choose(again, '设备', label);
  await again.getByRole('checkbox', { name: '设备上线' }).check();
  await typeMailboxes(page, line(again, '通知邮箱'), [first.toUpperCase()]);
  await confirm(again);
  await expect(refusal(again, '通知邮箱')).toHaveText('通知邮箱已存在');
  await again.getByRole('button', { name: '取消' }).click();
  await confirm(dialog(page, '提示'));
  await expect(again).toHaveCount(0);

  await take(row, '编辑');
  const edit = dialog(page, '编辑通知');
  await confirm(edit);
  await expect(notice(page)).toHaveText('您未做任何修改');
  await edit.getByRole('checkbox', { name: '链路切换' }).check();
  await confirm(edit);
  await expect(notice(page)).toHaveText('编辑成功');
  await take(row, '禁用');
  await confirm(dialog(page, '提示'));
  await expect(row).toContainText('禁用');
  const { list } = await by.call(statusNotifyCalls.list, { device_id });
  expect(list).toEqual([expect.objectContaining({ events: ['offline', 'link', 'auth'], emails: [first, second], status: 0 })]);
  await take(row, '删除');
  await confirm(dialog(page, '提示'));
  await expect(row).toHaveCount(0);
});

test('access points: one by its MAC, or all of them (en)', async ({ page }) => {
  const { by, label } = await quietDevice(1);
  const mailbox = `${unique('deck')}@sea.cn`;
  await sitAt(page, by, '/advanced/ap-link-notice', { lang: 'en', theme: 'dark' });
  await page.getByRole('button', { name: 'New notification' }).click();
  const made = dialog(page, 'New notification');
  await choose(made, 'Device', label);
  await input(made, 'AP MAC').fill('00-11');
  await made.getByRole('checkbox', { name: 'AP offline' }).check();
  await typeMailboxes(page, line(made, 'Mailboxes'), [mailbox]);
  await confirm(made, 'en');
  await expect(refusal(made, 'AP MAC')).toHaveText('MAC address as xx:xx:xx:xx:xx:xx');
  await input(made, 'AP MAC').fill('');
  await expectAccessible(page);
  await confirm(made, 'en');
  await expect(rowOf(page, mailbox)).toContainText('All APs');
});

test('a mail server is tried before it is saved, and the page says what the server answered', async ({ page }) => {
  const vno = await newVno();
  const [user, secret] = ['noc@harbour.cn', 'Harbour-2026'];
  const sink = await openSink(user, secret);
  await sitAt(page, vno, '/advanced/mail-server');
  const form = page.getByRole('form', { name: '邮件服务器' });
  const trial = page.getByRole('form', { name: '发送测试邮件' });
  const send = trial.getByRole('button', { name: '发送测试邮件' });
  await input(trial, '收件邮箱').fill('captain@ship.cn');
  await send.click();
  await expect(trial).toContainText('请先完善左侧表单');
  await form.getByRole('switch').click();
  await input(form, '服务名称').fill('港口通知');
  await input(form, '发件账号').fill(user);
  await line(form, '密码').locator('input').fill('wrong');
  await input(form, '服务器地址').fill('127.0.0.1');
  await input(form, '端口').fill(String(sink.port));
  await form.getByRole('radio', { name: '不加密' }).check();
  await send.click();
  await expect(trial.getByRole('alert')).toContainText('登录被拒绝：535 5.7.8 authentication failed');
  await line(form, '密码').locator('input').fill(secret);
  await send.click();
  await expect(trial.getByRole('status')).toHaveText('已发送，服务器应答：250 2.0.0 Ok: queued as SINK1');
  expect(sink.mails).toEqual([expect.objectContaining({ to: 'captain@ship.cn' })]);
  await expectAccessible(page);

  await form.getByRole('button', { name: '保存' }).click();
  await expect(notice(page)).toHaveText('保存成功');
  await expect(form).toContainText('已保存密码');
  await expect(line(form, '密码').locator('input')).toHaveValue('');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(notice(page)).toHaveText('您未做任何修改');
  // The stored password goes to no other door.
  await input(form, '服务器地址').fill('mail.evil.cn');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(refusal(form, '密码')).toHaveText('请输入密码');
  expect(await vno.call(mailServerCalls.ready)).toEqual({ ready: true, own: true });
  sink.close();
});
