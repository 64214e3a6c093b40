import { say } from '@farlink/contract/kit/text.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { expect, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { dialog, loginAt } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { column, head, rowOf, rows, runAction, total } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { makeStaff, makeVno, newVno, type Operator } from './support/world.ts';

const detail = (page: Page, lang: 'zh' | 'en' = 'zh') => dialog(page, say(['日志详情', 'Log entry'], lang));

/** Creates a VNO whose operator has created an account and changed two of its fields. */
const busyVno = async () => {
  const vno = await newVno();
  const staff = await makeStaff(vno);
  const { list } = await vno.call(staffCalls.list, { kind: 'sub', page: 1, limit: 10 });
  const version = list[0]?.version;
  await vno.call(staffCalls.update, { id: staff.id, version, phone: '13911112222', name: '员工改名' });
  return { vno, staff };
};

for (const lang of storyLangs(import.meta.url)) {
  test(`logs operator, action and result, with the values before and after (${lang})`, async ({ page }) => {
    const { vno, staff } = await busyVno();
    await loginAt(page, vno, '/log/system', { lang });
    const row = rows(page).first();
    await expect(row).toContainText(vno.username);
    await expect(row).toContainText(say(['修改', 'Update'], lang));
    await expect(row).toContainText(say(['成功', 'Success'], lang));
    await expect(row.getByRole('cell').filter({ hasText: staff.username })).toHaveCSS('white-space', 'normal');
    await runAction(row, say(['详情', 'Details'], lang));
    const box = detail(page, lang);
    await expect(box).toContainText(vno.name);
    const differences = box.getByRole('table');
    await expect(differences.getByRole('columnheader')).toHaveText([
      say(['字段', 'Field'], lang),
      say(['变更前', 'Before'], lang),
      say(['变更后', 'After'], lang),
    ]);
    await expect(differences.getByRole('row').filter({ hasText: '13911112222' })).toHaveText(
      `${say(['手机号', 'Phone'], lang)}1390000000213911112222`,
    );
    await expect(differences.getByRole('row').filter({ hasText: '员工改名' })).toHaveText(
      `${say(['员工姓名', 'Employee name'], lang)}员工甲员工改名`,
    );
    await box.getByRole('button', { name: say(['关闭', 'Close'], lang) }).click();
    await expect(box).toHaveCount(0);

    // A secret shows only that it was set.
    await runAction(rows(page).nth(1), say(['详情', 'Details'], lang));
    await expect(box).toContainText(staff.username);
    await expect(box).not.toContainText('Farlink2026');
  });
}

test('logs refused actions with their reason', { tag: '@all' }, async ({ page }) => {
  const { vno, staff } = await busyVno();
  const { id } = staff;
  await expect(vno.call(staffCalls.update, { id, version: 1, name: '太迟了' })).rejects.toThrow('10010');
  await loginAt(page, vno, '/log/system?result=fail');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('失败');
  await runAction(rows(page).first(), '详情');
  await expect(detail(page)).toContainText('数据已被他人修改，请刷新后重试');
});

for (const lang of storyLangs(import.meta.url)) {
  test(`lists the actions of child VNOs separately from the own actions (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const child = await makeVno(vno);
    const below: Operator = { ...child, ...(await logIn(child.username)) };
    const staff = await makeStaff(below);
    await loginAt(page, vno, '/log/sub-account', { lang });
    await expect(head(page, say(['下级VNO', 'Child VNO'], lang))).toBeVisible();
    await expect(rowOf(page, staff.username)).toContainText(child.name);
    expect(new Set(await column(page, say(['操作账号', 'Account'], lang)))).toEqual(new Set([child.username]));
    await runAction(rowOf(page, staff.username), say(['详情', 'Details'], lang));
    await expect(detail(page, lang)).toContainText(child.name);

    await page.goto('/log/system');
    await expect(rows(page).first()).toContainText(vno.username);
    await expect(rowOf(page, staff.username)).toHaveCount(0);
  });
}

test('filters the log by operator, module, action, result and content', { tag: '@all' }, async ({ page }) => {
  const { vno, staff } = await busyVno();
  await loginAt(page, vno, `/log/system?module=permission&action=create&content=${staff.username}&result=success&username=${vno.username}`);
  await expect(rows(page)).toHaveCount(1);
  await expect(total(page)).toHaveText('共 1 条');
  await expect(rows(page).first().locator('.tag.hue-green').first()).toHaveText('新增');
});

test('a log entry has no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  const { vno } = await busyVno();
  await loginAt(page, vno, '/log/system');
  await runAction(rows(page).first(), '详情');
  await expect(detail(page).getByRole('table')).toBeVisible();
  await expectAccessibleInBothThemes(page);
});
