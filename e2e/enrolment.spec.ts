import { say } from '@farlink/contract/kit/text.ts';
import { expect } from '@playwright/test';
import { gatewayInApproval } from './support/field.ts';
import { confirm, line } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { makeVno, newVno, sharedVno } from './support/world.ts';

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);

  test(`holds a new device until its VNO approves it, and does not admit a rejected one (${lang})`, async ({ page }) => {
    const vno = await newVno({ enrol_auto: false });
    const approved = await gatewayInApproval(vno.username);
    const denied = await gatewayInApproval(vno.username);
    await expect.poll(async () => (await denied.groundTruth()).binding).toBe(5);
    await expect.poll(async () => (await approved.groundTruth()).binding).toBe(5);

    await loginAt(page, vno, '/device/list?status=5', { lang });
    await expect(rowOf(page, approved.sn)).toContainText(t('待审批', 'Waiting for approval'));
    await runAction(rowOf(page, denied.sn), t('拒绝接入', 'Reject'));
    await confirm(dialog(page), lang);
    await expect(toast(page)).toHaveText(t('拒绝接入成功', 'Reject: done'));
    await expect(rowOf(page, denied.sn)).toHaveCount(0);
    await runAction(rowOf(page, approved.sn), t('批准接入', 'Approve'));
    await confirm(dialog(page), lang);
    await expect(rowOf(page, approved.sn)).toHaveCount(0);

    await Promise.all([approved.enrol(approved.code), denied.enrol(denied.code)]);
    await page.goto('/device/list');
    await expect(rowOf(page, approved.sn)).toContainText(t('在线', 'Online'));
    await expect(rowOf(page, denied.sn)).toContainText(t('已拒绝', 'Rejected'));
    expect((await denied.groundTruth()).binding).toBe(6);
  });
}

test('saves the automatic approval of new devices of a child VNO, and shows it in the form', async ({ page }) => {
  const vno = await sharedVno();
  const child = await makeVno(vno, { enrol_auto: false });
  await loginAt(page, vno, `/vno/list?username=${child.username}`);
  const open = async () => {
    await runAction(rowOf(page, child.username), '编辑');
    return line(dialog(page, '编辑VNO'), '新设备自动审批').getByRole('switch');
  };
  await expect(await open()).not.toBeChecked();
  await line(dialog(page, '编辑VNO'), '新设备自动审批').getByRole('switch').click();
  await confirm(dialog(page, '编辑VNO'));
  await expect(toast(page)).toHaveText('编辑成功');
  await expect(await open()).toBeChecked();
});
