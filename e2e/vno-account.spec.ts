import { say } from '@farlink/contract/kit/text.ts';
import { vnoAccountCalls } from '@farlink/contract/vno/vno-account.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn, password } from './support/api.ts';
import { inputOf, nextCall } from './support/calls.ts';
import { confirm, input, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, rows, runAction, total } from './support/table.ts';
import { test } from './support/test.ts';
import { makePrefixes, makeVno, makeVnoRole, newVno, sharedVno, unique } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');

for (const lang of storyLangs(import.meta.url)) {
  test(`counts and filters accounts by the VNO tree, also in the URL (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await newVno();
    const first = await makeVno(vno);
    const second = await makeVno(vno);
    await loginAt(page, vno, '/vno/account', { lang });
    await expect(rows(page)).toHaveCount(2);
    const tree = page.getByRole('complementary', { name: say(['VNO账号拓扑', 'VNO account topology'], lang) });
    const node = (name: string) => tree.getByRole('button', { name: new RegExp(`^${name}`) });
    await expect(node(say(['全部VNO', 'All VNOs'], lang))).toHaveText(/2$/);
    await expect(node(first.name)).toHaveText(/1$/);

    const pendingCall = nextCall(page, vnoAccountCalls.list);
    await node(first.name).click();
    expect(inputOf(await pendingCall)).toEqual({ page: '1', limit: '10', vno_id: String(first.id) });
    await expect(rows(page)).toHaveCount(1);
    await expect(rowOf(page, first.username)).toBeVisible();
    await expect(node(first.name)).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await expect(node(first.name)).toHaveAttribute('aria-pressed', 'true');

    await tree.getByRole('textbox', { name: say(['搜索VNO', 'Search VNO'], lang) }).fill(second.username);
    await expect(node(first.name)).toHaveCount(0);
    await node(second.name).click();
    await expect(rowOf(page, second.username)).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await node(say(['全部VNO', 'All VNOs'], lang)).click();
    await expect(rows(page)).toHaveCount(2);
  });
}

test('creates an account for a child VNO, and refuses its login after it is disabled', async ({ page }) => {
  const vno = await sharedVno();
  const child = await makeVno(vno);
  const role = unique('V');
  await makeVnoRole(vno, role);
  await loginAt(page, vno, '/vno/account');
  await main(page).getByRole('button', { name: '新增账号' }).click();
  const box = dialog(page, '新增VNO账号');
  const username = unique('acc_');
  await choose(box, /所属VNO/, child.name);
  await input(box, '登录账号').fill(username);
  await input(box, '员工姓名').fill('值班员');
  await input(box, '登录密码').fill(password);
  await input(box, '确认密码').fill(password);
  await input(box, '手机号').fill('13900000011');
  await choose(box, /所属角色/, role);
  await confirm(box);
  await expect(toast(page)).toHaveText('新增账号成功');
  expect((await logIn(username)).session.agent_name).toBe(child.name);

  await page.goto(`/vno/account?username=${username}`);
  await runAction(rowOf(page, username), '禁用');
  await confirm(dialog(page));
  await expect(rowOf(page, username).locator('.point').filter({ hasText: '禁用' })).toBeVisible();
  await expect(logIn(username)).rejects.toThrow('账号已被禁用');
});

for (const lang of storyLangs(import.meta.url)) {
  test(`creates a prefix once, and deletes it while it is unused (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    const usedPrefix = unique('t').slice(0, 7);
    await makePrefixes(vno, [usedPrefix]);
    await loginAt(page, vno, '/vno/prefix', { lang });
    const label = say(['账号前缀', 'Prefix'], lang);
    const owner = say(['所属VNO', 'VNO'], lang);
    await main(page)
      .getByRole('button', { name: say(['新增前缀', 'New prefix'], lang) })
      .click();
    const box = dialog(page, say(['新增账号前缀', 'New prefix'], lang));
    await choose(box, new RegExp(`${owner}$`), vno.name);
    await input(box, label).fill('海-1');
    await confirm(box, lang);
    await expect(refusal(box, label)).toHaveText(say(['仅限字母、数字、下划线', 'Letters, digits and underscore only'], lang));
    await input(box, label).fill(usedPrefix);
    await confirm(box, lang);
    await expect(refusal(box, label)).toHaveText(say(['账号前缀已存在', 'Prefix already exists'], lang));
    const free = unique('f').slice(0, 7);
    await input(box, label).fill(free);
    await confirm(box, lang);
    await expect(rowOf(page, free)).toBeVisible();

    await runAction(rowOf(page, free), say(['删除', 'Delete'], lang));
    await expect(dialog(page)).toContainText(say(['确定要删除该前缀吗？', 'Are you sure you want to delete this prefix?'], lang));
    await confirm(dialog(page), lang);
    await expect(rowOf(page, free)).toHaveCount(0);
  });
}

test('does not offer to delete a prefix in use', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/vno/prefix');
  await expect(total(page)).toHaveText('共 5 条');
  const button = rows(page)
    .first()
    .getByRole('button', { name: /^删除 / });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAccessibleDescription('当前数据不支持此操作');
  await button.click({ force: true });
  await expect(dialog(page)).toHaveCount(0);
});
