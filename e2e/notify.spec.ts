import { deviceStatusNotifyCalls } from '@farlink/contract/advanced/device-status-notify.ts';
import { mailServerCalls } from '@farlink/contract/advanced/mail-server.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { newGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { openSink } from './support/mail-sink.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

/** Creates a VNO with one device that has no notification rule. */
const quietDevice = async () => {
  const vno = await newVno();
  const { deviceId: device_id } = await newGateway({ vno });
  const label = (await vno.call(deviceCalls.option))[device_id];
  if (!label) throw new Error('the device is not offered');
  return { vno, device_id, label };
};

const typeMailboxes = async (page: Page, field: Locator, mailboxes: readonly string[]) => {
  await field.getByRole('combobox').click();
  for (const mailbox of mailboxes) {
    await page.keyboard.type(mailbox);
    await page.keyboard.press('Enter');
  }
};

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`notifies at most three different mailboxes about a device, and can be disabled and enabled (${lang})`, async ({ page }) => {
    const { vno, device_id, label } = await quietDevice();
    const mailbox = (name: string) => `${name}@${unique('sea')}.cn`;
    const first = mailbox('a');
    const second = mailbox('b');
    const third = mailbox('c');
    await loginAt(page, vno, '/advanced/device-status-notify', { lang });
    await expect(page.getByRole('status')).toContainText(
      t('均未启用邮件服务器', 'No mail server is enabled for this VNO or a VNO above it'),
    );
    await expectAccessible(page);

    await page.getByRole('button', { name: t('新增通知', 'New notification') }).click();
    const made = dialog(page, t('新增通知', 'New notification'));
    await confirm(made, lang);
    await expect(refusal(made, t('通知事件', 'Events'))).toHaveText(t('请选择通知事件', 'Please select events'));
    await choose(made, t('设备', 'Device'), label);
    await made.getByRole('checkbox', { name: t('设备离线', 'Device offline') }).check();
    await made.getByRole('checkbox', { name: t('授权到期', 'Authorization expiring') }).check();
    await typeMailboxes(page, line(made, t('通知邮箱', 'Mailboxes')), [first, second, third, 'x@y.cn']);
    await confirm(made, lang);
    await expect(refusal(made, t('通知邮箱', 'Mailboxes'))).toHaveText(
      t('每台设备最多3个通知邮箱', 'At most 3 notification mailboxes per device'),
    );
    const removes = line(made, t('通知邮箱', 'Mailboxes')).locator('.ant-select-selection-item-remove');
    await removes.last().click();
    await removes.last().click();
    await expect(removes).toHaveCount(2);
    await confirm(made, lang);
    await expect(toast(page)).toHaveText(t('新增通知成功', 'New notification: done'));
    const row = rowOf(page, first);
    const mailboxes = row.locator('td[data-kind=tags]').last();
    await expect(mailboxes).toContainText(second);
    expect(await mailboxes.evaluate((cell) => [cell, ...cell.querySelectorAll('.tag')].every((e) => e.scrollWidth <= e.clientWidth))).toBe(
      true,
    );
    await expect(row).toContainText(t('设备离线', 'Device offline'));

    await page.getByRole('button', { name: t('新增通知', 'New notification') }).click();
    const again = dialog(page, t('新增通知', 'New notification'));
    await choose(again, t('设备', 'Device'), label);
    await again.getByRole('checkbox', { name: t('设备上线', 'Device online') }).check();
    await typeMailboxes(page, line(again, t('通知邮箱', 'Mailboxes')), [first.toUpperCase()]);
    await confirm(again, lang);
    await expect(refusal(again, t('通知邮箱', 'Mailboxes'))).toHaveText(t('通知邮箱已存在', 'Same notification mailbox exists'));
    await again.getByRole('button', { name: t('取消', 'Cancel') }).click();
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(again).toHaveCount(0);

    await runAction(row, t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑通知', 'Edit notification'));
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await edit.getByRole('checkbox', { name: t('链路切换', 'Link switched') }).check();
    await confirm(edit, lang);
    await expect(toast(page)).toHaveText(t('编辑成功', 'Edit: done'));
    await runAction(row, t('禁用', 'Disable'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(row).toContainText(t('禁用', 'Disabled'));
    const { list } = await vno.call(deviceStatusNotifyCalls.list, { device_id });
    expect(list).toEqual([expect.objectContaining({ events: ['offline', 'link', 'auth'], emails: [first, second], status: 0 })]);
    await runAction(row, t('删除', 'Delete'));
    await confirm(dialog(page, t('提示', 'Please confirm')), lang);
    await expect(row).toHaveCount(0);
  });

  test(`notifies about one access point by MAC, or about all (${lang})`, { tag: '@all' }, async ({ page }) => {
    const { vno, label } = await quietDevice();
    const mailbox = `${unique('deck')}@sea.cn`;
    await loginAt(page, vno, '/advanced/ap-link-notice', { lang, theme: lang === 'en' ? 'dark' : 'light' });
    await page.getByRole('button', { name: t('新增通知', 'New notification') }).click();
    const made = dialog(page, t('新增通知', 'New notification'));
    await choose(made, t('设备', 'Device'), label);
    await input(made, 'AP MAC').fill('00-11');
    await made.getByRole('checkbox', { name: t('AP离线', 'AP offline') }).check();
    await typeMailboxes(page, line(made, t('通知邮箱', 'Mailboxes')), [mailbox]);
    await confirm(made, lang);
    await expect(refusal(made, 'AP MAC')).toHaveText(t('MAC地址格式应为 xx:xx:xx:xx:xx:xx', 'MAC address as xx:xx:xx:xx:xx:xx'));
    await input(made, 'AP MAC').fill('');
    await expectAccessible(page);
    await confirm(made, lang);
    const row = rowOf(page, mailbox);
    await expect(row).toContainText(t('全部AP', 'All APs'));
    await runAction(row, t('编辑', 'Edit'));
    const edit = dialog(page, t('编辑通知', 'Edit notification'));
    await input(edit, 'AP MAC').fill('02:00:00:00:00:09');
    await confirm(edit, lang);
    await expect(edit).toHaveCount(0);
    await page.reload();
    await expect(row).toContainText('02:00:00:00:00:09');
  });

  test(`tests a mail server before it is saved, and shows its reply (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const user = 'noc@harbour.cn';
    const secret = 'Harbour-2026';
    const sink = await openSink(user, secret);
    await loginAt(page, vno, '/advanced/mail-server', { lang });
    const form = page.getByRole('form', { name: t('邮件服务器', 'Mail server') });
    const testForm = page.getByRole('form', { name: t('发送测试邮件', 'Send a test mail') });
    const send = testForm.getByRole('button', { name: t('发送测试邮件', 'Send a test mail') });
    await input(testForm, t('收件邮箱', 'Send to')).fill('captain@ship.cn');
    await send.click();
    await expect(testForm).toContainText(t('请先完善左侧表单', 'Complete the form first'));
    await form.getByRole('switch').click();
    await input(form, t('服务名称', 'Name')).fill('港口通知');
    await input(form, t('发件账号', 'User')).fill(user);
    await line(form, t('密码', 'Password')).locator('input').fill('wrong');
    await input(form, t('服务器地址', 'Host')).fill('127.0.0.1');
    await input(form, t('端口', 'Port')).fill(String(sink.port));
    await form.getByRole('radio', { name: t('不加密', 'None') }).check();
    await send.click();
    await expect(testForm.getByRole('alert')).toContainText(
      t('登录被拒绝：535 5.7.8 authentication failed', 'Login refused: 535 5.7.8 authentication failed'),
    );
    await line(form, t('密码', 'Password')).locator('input').fill(secret);
    await send.click();
    await expect(testForm.getByRole('status')).toHaveText(
      t('已发送，服务器应答：250 2.0.0 Ok: queued as SINK1', 'Sent. Server reply: 250 2.0.0 Ok: queued as SINK1'),
    );
    expect(sink.mails).toEqual([expect.objectContaining({ to: 'captain@ship.cn' })]);
    await expectAccessible(page);

    await form.getByRole('button', { name: t('保存', 'Save') }).click();
    await expect(toast(page)).toHaveText(t('保存成功', 'Saved'));
    await expect(form).toContainText(t('已保存密码', 'A password is stored'));
    await expect(line(form, t('密码', 'Password')).locator('input')).toHaveValue('');
    await page.reload();
    await expect(input(form, t('服务名称', 'Name'))).toHaveValue('港口通知');
    await form.getByRole('button', { name: t('保存', 'Save') }).click();
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    // The stored password must not be sent to another server.
    await input(form, t('服务器地址', 'Host')).fill('mail.evil.cn');
    await form.getByRole('button', { name: t('保存', 'Save') }).click();
    await expect(refusal(form, t('密码', 'Password'))).toHaveText(t('请输入密码', 'Please enter password'));
    expect(await vno.call(mailServerCalls.ready)).toEqual({ ready: true, own: true });
    sink.close();
  });
}
