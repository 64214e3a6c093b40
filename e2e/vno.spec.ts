import { say } from '@farlink/contract/kit/text.ts';
import { vnoCalls } from '@farlink/contract/vno/vno.ts';
import { expect, type Page } from '@playwright/test';
import { as, logIn, password } from './support/api.ts';
import { nextCall } from './support/calls.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { mainMenu } from './support/login.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { makeVno, makeVnoRole, newVno, type Operator, sharedVno, unique, type Vno } from './support/world.ts';

const main = (page: Page) => page.getByRole('main');
const only = ({ username }: Vno) => `/vno/list?username=${username}`;

test('creates a VNO below the current one, which can log in', async ({ page }) => {
  const vno = await newVno();
  const role = unique('V');
  await makeVnoRole(vno, role);
  await loginAt(page, vno, '/vno/list');
  await main(page).getByRole('button', { name: '新增VNO' }).click();
  const box = dialog(page, '新增VNO');
  const username = unique('vno_');
  await input(box, '登录账号').fill(username);
  await input(box, '登录密码').fill(password);
  await input(box, '确认密码').fill(password);
  await input(box, 'VNO名称').fill('新港 New Harbour');
  await choose(box, /上级VNO/, vno.name);
  await choose(box, /VNO角色/, role);
  await input(box, '联系人').fill('林港生');
  await input(box, '联系电话').fill('13900000007');
  await choose(box, /运营模式/, '集中');
  await confirm(box);
  await expect(toast(page)).toHaveText('新增VNO成功');
  const row = rowOf(page, username);
  await expect(row).toContainText('新港 New Harbour');
  await expect(row).toContainText(vno.name);
  // The merchant code was left empty, so the server created one.
  await expect(row.locator('.mono').first()).toHaveText(/^[A-Z0-9]{6,}$/);
  expect((await logIn(username)).session).toMatchObject({ agent_name: '新港 New Harbour', agent_mode: 2, agent_level: 2 });
});

test('clears a role that the new parent does not offer, and keeps one that fits', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const first = await makeVno(vno);
  const second = await makeVno(vno);
  const foreignRole = unique('V');
  const ownRole = unique('V');
  await makeVnoRole(await logIn(first.username), foreignRole);
  await makeVnoRole(vno, ownRole);
  await loginAt(page, vno, '/vno/list');
  await main(page).getByRole('button', { name: '新增VNO' }).click();
  const box = dialog(page, '新增VNO');
  await choose(box, /上级VNO/, first.name);
  await choose(box, /VNO角色/, `${foreignRole} · ${first.name}`);
  await choose(box, /上级VNO/, second.name);
  await expect(line(box, 'VNO角色')).not.toContainText(foreignRole);
  await expect(line(box, 'VNO角色')).toContainText('请选择');
  await choose(box, /VNO角色/, ownRole);
  await choose(box, /上级VNO/, first.name);
  await expect(line(box, 'VNO角色')).toContainText(ownRole);
});

for (const lang of storyLangs(import.meta.url)) {
  test(`shows, edits and moves a VNO below another one (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    const child = await makeVno(vno, { introduction: '近海船队' });
    const target = await makeVno(vno);
    await loginAt(page, vno, only(child), { lang });
    await rowOf(page, child.username).getByRole('button', { name: child.name, exact: true }).click();
    const panel = page.getByRole('dialog');
    await expect(panel).toContainText('近海船队');
    await expect(panel).toContainText(say(['下级VNO数', 'Child VNOs'], lang));
    await panel.getByRole('button', { name: say(['关闭', 'Close'], lang) }).click();
    await expect(panel).toHaveCount(0);

    await runAction(rowOf(page, child.username), say(['编辑', 'Edit'], lang));
    const box = dialog(page, say(['编辑VNO', 'Edit VNO'], lang));
    await expect(line(box, say(['登录账号', 'Username'], lang)).getByRole('textbox')).toHaveCount(0);
    await input(box, say(['VNO名称', 'VNO name'], lang)).fill('改名 Renamed');
    await choose(box, new RegExp(say(['上级VNO', 'Parent VNO'], lang)), target.name);
    await confirm(box, lang);
    await expect(rowOf(page, child.username)).toContainText('改名 Renamed');
    await page.reload();
    await expect(rowOf(page, child.username)).toContainText(target.name);
  });
}

test('does not offer a VNO and its branch as its own parent', { tag: '@all' }, async ({ page }) => {
  const vno = await newVno();
  const middle = await makeVno(vno);
  const below = await makeVno({ ...middle, ...(await logIn(middle.username)) });
  const beside = await makeVno(vno);
  await loginAt(page, vno, only(middle));
  await runAction(rowOf(page, middle.username), '编辑');
  // The select becomes a tree when its options are loaded.
  const parent = line(dialog(page), '上级VNO').locator('.ant-tree-select');
  await parent.getByRole('combobox').fill('港湾');
  const disabled = page.locator('.ant-select-tree-treenode-disabled');
  await expect(disabled).toHaveText([middle.name, below.name]);
  const node = (name: string) => page.locator('.ant-select-tree-treenode').filter({ hasText: name });
  await expect(node(vno.name)).not.toHaveClass(/disabled/);
  await expect(node(beside.name)).not.toHaveClass(/disabled/);
});

for (const lang of storyLangs(import.meta.url)) {
  test(`sets the device password for the VNO of the row (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    const child = await makeVno(vno);
    await loginAt(page, vno, only(child), { lang });
    await runAction(rowOf(page, child.username), say(['设备密码', 'Device password'], lang));
    const box = dialog(page, say(['设置设备登录密码', 'Set device login password'], lang));
    await expect(line(box, 'VNO')).toContainText(child.name);
    const first = say(['设备密码', 'Device password'], lang);
    const second = say(['确认密码', 'Confirm password'], lang);
    await input(box, first).fill('onlyletters');
    await confirm(box, lang);
    await expect(refusal(box, first)).toHaveText(say(['6-18位，须同时包含字母和数字', '6-18 letters and digits, both required'], lang));
    await input(box, first).fill('device2026');
    await input(box, second).fill('device2026');
    const pendingCall = nextCall(page, vnoCalls.devicePwd);
    await confirm(box, lang);
    expect((await pendingCall).postDataJSON()).toMatchObject({ vno_id: child.id });
    await expect(toast(page)).toHaveText(say(['设备密码成功', 'Device password: done'], lang));
  });

  test(`issues an authorization code, which is shown once (${lang})`, { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    // A page without TLS has no clipboard.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await loginAt(page, await as('admin'), only(vno), { lang });
    await runAction(rowOf(page, vno.username), say(['发放授权码', 'Issue code'], lang));
    const box = dialog(page, say(['发放授权码', 'Issue authorization code'], lang));
    await input(box, say(['授权数量', 'Quantity'], lang)).fill('0');
    await input(box, say(['到期时间', 'Expires at'], lang)).fill('2030-01-01 00:00:00');
    await input(box, say(['到期时间', 'Expires at'], lang)).press('Enter');
    await confirm(box, lang);
    await expect(refusal(box, say(['授权数量', 'Quantity'], lang))).toHaveText(say(['数值范围为1-10000', 'Between 1 and 10000'], lang));
    await input(box, say(['授权数量', 'Quantity'], lang)).fill('3');
    const pendingCall = nextCall(page, vnoCalls.authorize);
    await confirm(box, lang);
    expect((await pendingCall).postDataJSON()).toMatchObject({ total: 3, expire_at: Date.parse('2030-01-01T00:00:00+08:00') / 1000 });
    const shown = dialog(page, say(['授权码', 'Authorization code'], lang));
    await expect(shown.locator('code')).toHaveText(/^[\w-]{8,}$/);
    const copy = shown.getByRole('button', { name: say(['复制', 'Copy'], lang) });
    await expect(copy).toBeFocused();
    await copy.click();
    await expect(toast(page)).toHaveText(say(['复制失败，请手动选择复制', 'Copying failed. Select the text and copy it.'], lang));
    await shown.getByRole('button', { name: say(['我已保存', 'I have saved it'], lang) }).click();
    await expect(shown).toHaveCount(0);
  });
}

test.describe('acting as a VNO', () => {
  const enter = async (page: Page, child: Vno) => {
    await runAction(rowOf(page, child.username), '进入VNO平台');
    const popup = page.context().waitForEvent('page');
    await confirm(dialog(page));
    const other = await popup;
    await expect(mainMenu(other)).toBeVisible();
    return other;
  };

  test('opens a tab with the other identity, and keeps the identity of the first tab', async ({ page }) => {
    const vno = await sharedVno();
    const child = await makeVno(vno);
    await loginAt(page, vno, only(child));
    const other = await enter(page, child);
    await expect(other.getByRole('banner')).toContainText(child.name);
    await expect(other.getByRole('note')).toContainText(`${vno.username} 正在以 ${child.name} / ${child.username} 的身份操作`);
    await other.goto('/vno/list');
    await expect(rows(other)).toHaveCount(1);
    await other.reload();
    await expect(other.getByRole('banner')).toContainText(child.name);

    await page.reload();
    await expect(rowOf(page, child.username)).toBeVisible();
    await expect(page.getByRole('banner')).toContainText(vno.name);
    await expect(page.getByRole('note')).toHaveCount(0);
    // The one-time token must not stay in the URL.
    expect(other.url()).not.toContain('remoteData');
  });

  test('asks first, and shows a toast on cancel', { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    const child = await makeVno(vno);
    await loginAt(page, vno, only(child));
    await runAction(rowOf(page, child.username), '进入VNO平台');
    await expect(dialog(page)).toContainText('将以该VNO身份在新窗口登录，是否继续？');
    await dialog(page).getByRole('button', { name: '取消' }).click();
    await expect(toast(page)).toHaveText('已取消');
    expect(page.context().pages()).toHaveLength(1);
  });

  test('is not offered for the current VNO', { tag: '@all' }, async ({ page }) => {
    const vno = await sharedVno();
    await loginAt(page, vno, only(vno));
    await rowOf(page, vno.username)
      .getByRole('button', { name: /^更多 / })
      .click();
    const item = page.getByRole('menuitem', { name: '进入VNO平台' });
    await expect(item).toHaveAttribute('aria-disabled', 'true');
    await expect(item).toHaveAccessibleDescription('当前数据不支持此操作');
  });
});

for (const lang of storyLangs(import.meta.url)) {
  test(`deletes a VNO after its name is typed, unless it is in use (${lang})`, async ({ page }) => {
    const vno = await sharedVno();
    const parent = await makeVno(vno);
    const boss: Operator = { ...parent, ...(await logIn(parent.username)) };
    const child = await makeVno(boss);
    const label = say(['请输入VNO名称以确认', 'Type the VNO name to confirm'], lang);
    const box = dialog(page, say(['删除VNO', 'Delete VNO'], lang));

    await loginAt(page, vno, only(parent), { lang });
    await runAction(rowOf(page, parent.username), say(['删除', 'Delete'], lang));
    await confirm(box, lang);
    await expect(refusal(box, label)).toBeVisible();
    await input(box, label).fill(`${parent.name}x`);
    await expect(refusal(box, label)).toHaveText(say(['VNO名称不一致', 'Inconsistent VNO names'], lang));
    await input(box, label).fill(parent.name);
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(
      say(['该VNO下仍有1个下级VNO，无法删除', 'This VNO cannot be deleted while it has 1 child VNOs'], lang),
    );
    await expect(rowOf(page, parent.username)).toBeVisible();

    await page.goto(only(child));
    await runAction(rowOf(page, child.username), say(['删除', 'Delete'], lang));
    await input(box, label).fill(child.name);
    const pendingCall = nextCall(page, vnoCalls.remove);
    await confirm(box, lang);
    expect(new URL((await pendingCall).url()).searchParams.get('confirm_name')).toBe(child.name);
    await expect(rows(page)).toHaveCount(0);
    await expect(logIn(child.username)).rejects.toThrow('账号或密码错误');
  });
}

test('does not offer to delete a VNO with devices', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('admin'), '/vno/list?username=bluesea');
  await rowOf(page, 'bluesea')
    .getByRole('button', { name: /^更多 / })
    .click();
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute('aria-disabled', 'true');
});
