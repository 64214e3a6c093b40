import { say, type Text } from '@farlink/contract/kit/text.ts';
import { staffRoles } from '@farlink/contract/permission/role.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { nextCall } from './support/calls.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { rowOf, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessibleInBothThemes } from './support/violations.ts';
import { grantsOf, makeRole, makeVno, sharedVno, unique } from './support/world.ts';

const operable: Text = ['可操作', 'Operable'];
const showOnly: Text = ['仅查看', 'Show only'];
const invisible: Text = ['不可见', 'Invisible'];

const openEditor = async (page: Page, lang: 'zh' | 'en' = 'zh') => {
  await page
    .getByRole('main')
    .getByRole('button', { name: say(['新增角色', 'New role'], lang) })
    .click();
  const box = dialog(page, say(['新增角色', 'New role'], lang));
  await expect(states(box, say(['权限管理', 'Permissions'], lang))).toBeVisible();
  return box;
};
/** The three states of one item. */
const states = (box: Locator, title: string) => box.getByRole('radiogroup', { name: title, exact: true });
const set = (box: Locator, title: string, state: Text, lang: 'zh' | 'en' = 'zh') =>
  states(box, title).getByText(say(state, lang), { exact: true }).click();
const expectState = (box: Locator, title: string, state: Text, lang: 'zh' | 'en' = 'zh') =>
  expect(states(box, title).getByRole('radio', { name: say(state, lang), exact: true })).toBeChecked();
const open = (box: Locator, title: string, lang: 'zh' | 'en' = 'zh') =>
  box.getByRole('button', { name: `${say(['展开', 'Expand'], lang)} ${title}`, exact: true }).click();

/** Saves the new role and opens it again after a reload. */
const saveRole = async (page: Page, box: Locator) => {
  const name = unique('R');
  await input(box, '角色名称').fill(name);
  await confirm(box);
  await expect(box).toHaveCount(0);
  await page.goto(`/permission/role?name=${name}`);
  await runAction(rowOf(page, name), '编辑');
  return dialog(page, '编辑角色');
};

for (const lang of storyLangs(import.meta.url)) {
  test(`sets an item operable, show only or invisible; a group sets all its items and shows mixed states (${lang})`, async ({ page }) => {
    const [group, account, role, list, create] = (
      [
        ['权限管理', 'Permissions'],
        ['子账号管理', 'Sub-accounts'],
        ['角色管理', 'Roles'],
        ['查询子账号或工号', 'List sub-accounts or job numbers'],
        ['新增子账号或工号', 'Create a sub-account or job number'],
      ] as const
    ).map((text) => say(text, lang)) as [string, string, string, string, string];
    await loginAt(page, await sharedVno(), '/permission/role', { lang });
    const box = await openEditor(page, lang);
    await expectState(box, group, invisible, lang);
    await open(box, group, lang);
    await expectState(box, account, invisible, lang);
    await set(box, group, operable, lang);
    await expectState(box, account, operable, lang);
    await expectState(box, role, operable, lang);
    await set(box, role, showOnly, lang);
    await expectState(box, role, showOnly, lang);
    await expect(states(box, group)).toContainText(say(['部分', 'Mixed'], lang));
    await expect(states(box, group).getByRole('radio', { checked: true })).toHaveCount(0);

    await open(box, account, lang);
    // A read call can only be shown or hidden.
    await expectState(box, list, showOnly, lang);
    await set(box, account, invisible, lang);
    await expectState(box, account, invisible, lang);
    // A visible call makes its page visible.
    await set(box, create, operable, lang);
    await expect(states(box, account).getByRole('radio', { name: say(invisible, lang) })).not.toBeChecked();
  });

  test(`sets all items with read-all and write-all, and shows their state (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await as('bluesea'), '/permission/role', { lang });
    const box = await openEditor(page, lang);
    const read = box.getByRole('switch', { name: say(['全部可查看', 'Read all'], lang) });
    const write = box.getByRole('switch', { name: say(['全部可操作', 'Write all'], lang) });
    const group = say(['日志管理', 'Logs'], lang);
    await write.click();
    await expectState(box, group, operable, lang);
    await expect(read).toBeChecked();
    await set(box, group, showOnly, lang);
    await expect(write).not.toBeChecked();
    await expect(read).toBeChecked();
    await set(box, group, invisible, lang);
    await expect(read).not.toBeChecked();
    // The words toggle it too.
    await box.getByText(say(['全部可查看', 'Read all'], lang), { exact: true }).click();
    await expectState(box, group, showOnly, lang);
    await expect(states(box, say(['权限管理', 'Permissions'], lang)).getByRole('radio', { checked: true })).toHaveCount(1);

    await box.getByRole('tab', { name: say(['网关配置菜单权限', 'Gateway menu permissions'], lang) }).click();
    // Write-all has set all items, and read-all does not lower them.
    await expect(box.getByRole('radio', { name: say(operable, lang), checked: true }).first()).toBeVisible();
    await expect(box.getByRole('radio', { name: say(invisible, lang), checked: true })).toHaveCount(0);
  });

  test(`requires a name and at least one permission for a role (${lang})`, { tag: '@all' }, async ({ page }) => {
    await loginAt(page, await sharedVno(), '/permission/role', { lang });
    const box = await openEditor(page, lang);
    const name = unique('R');
    await input(box, say(['角色名称', 'Role name'], lang)).fill(name);
    await confirm(box, lang);
    const missing = box.getByRole('alert');
    await expect(missing).toHaveText(/请完善|Please improve/);
    await set(box, say(['日志管理', 'Logs'], lang), showOnly, lang);
    await expect(missing).toHaveCount(0);
    const pendingCall = nextCall(page, staffRoles.calls.create);
    await confirm(box, lang);
    expect((await pendingCall).postDataJSON()).toMatchObject({ kind: 'sub', name, scope: 'unlimited', permissions: { system_log: '10' } });
    await expect(rowOf(page, name)).toBeVisible();
  });
}

test('shows the path to a searched permission, and keeps its change', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), '/permission/role');
  const box = await openEditor(page);
  const search = box.getByRole('textbox', { name: '搜索权限项' });
  await search.fill('导出操作日志');
  await expect(states(box, '导出操作日志')).toBeVisible();
  await expect(states(box, '权限管理')).toHaveCount(0);
  await set(box, '导出操作日志', operable);
  await search.fill('没有这一项');
  await expect(box.getByText('没有匹配的权限项')).toBeVisible();
  await search.fill('');
  await open(box, '日志管理');
  await open(box, '操作日志');
  await expectState(box, '导出操作日志', operable);
  await expect(states(box, '操作日志').getByRole('radio', { name: '不可见' })).not.toBeChecked();
  const saved = await saveRole(page, box);
  await open(saved, '日志管理');
  await open(saved, '操作日志');
  await expectState(saved, '导出操作日志', operable);
});

test('sets an item by keyboard', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await sharedVno(), '/permission/role');
  const box = await openEditor(page);
  await states(box, '日志管理').getByRole('radio', { name: '不可见' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expectState(box, '日志管理', showOnly);
  await page.keyboard.press('ArrowLeft');
  await expectState(box, '日志管理', operable);
  await expectState(await saveRole(page, box), '日志管理', operable);
});

test('limits the management scope to VNOs or devices, but not both', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const child = await makeVno(vno);
  await loginAt(page, vno, '/permission/role');
  const box = await openEditor(page);
  const name = unique('R');
  await input(box, '角色名称').fill(name);
  await set(box, '日志管理', showOnly);
  for (const label of ['VNO数据范围', '设备数据范围', '指定VNO', '指定设备']) await expect(line(box, label)).toHaveCount(0);
  await box.getByRole('radiogroup', { name: '管理范围' }).getByRole('radio', { name: '基于VNO' }).check();
  await expect(line(box, '设备数据范围')).toHaveCount(0);
  await line(box, 'VNO数据范围').getByRole('radio', { name: '指定' }).check();
  await confirm(box);
  await expect(refusal(box, '指定VNO')).toHaveText('请选择指定VNO');
  await line(box, '指定VNO').getByRole('textbox').fill(child.username);
  await line(box, '指定VNO').getByRole('button', { name: child.name }).click();
  await expect(line(box, '指定VNO')).toContainText('已选 1');

  await box.getByRole('radio', { name: '基于设备' }).check();
  await expect(line(box, 'VNO数据范围')).toHaveCount(0);
  await expect(line(box, '指定VNO')).toHaveCount(0);
  await expect(line(box, '设备数据范围')).toBeVisible();

  await box.getByRole('radio', { name: '基于VNO' }).check();
  const pendingCall = nextCall(page, staffRoles.calls.create);
  await confirm(box);
  const sent = (await pendingCall).postDataJSON();
  expect(sent).toMatchObject({ scope: 'vno', vno_limit: 'specified', vno_ids: [child.id] });
  expect(sent).not.toHaveProperty('device_limit');
  await expect(rowOf(page, name)).toContainText('基于VNO');
});

test('opens a role as it was saved, and deletes it while it is unused', { tag: '@all' }, async ({ page }) => {
  const vno = await sharedVno();
  const role = await makeRole(vno, grantsOf(['system_log'], '10'));
  await loginAt(page, vno, `/permission/role?name=${encodeURIComponent(role.name)}`);
  await runAction(rowOf(page, role.name), '编辑');
  const box = dialog(page, '编辑角色');
  await open(box, '日志管理');
  await expectState(box, '操作日志', showOnly);
  await expectState(box, '下级VNO日志', invisible);
  await set(box, '操作日志', operable);
  await confirm(box);
  await expect(toast(page)).toHaveText('编辑成功');
  await runAction(rowOf(page, role.name), '编辑');
  await open(box, '日志管理');
  await expectState(box, '操作日志', operable);
  await box.getByRole('button', { name: '取消' }).click();

  await runAction(rowOf(page, role.name), '删除');
  await confirm(dialog(page));
  await expect(rowOf(page, role.name)).toHaveCount(0);
});

test('does not offer to delete a role in use', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/permission/role');
  await rowOf(page, '客服')
    .first()
    .getByRole('button', { name: /^更多 / })
    .click();
  await expect(page.getByRole('menuitem', { name: '删除' })).toHaveAttribute('aria-disabled', 'true');
});

test('finds a call by its key in the permission list', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/permission/role');
  await page.getByRole('main').getByRole('button', { name: '权限清单' }).click();
  const panel = page.getByRole('dialog', { name: '权限清单' });
  // The panel scrolls; the list in it shows all its lines.
  expect(await panel.locator('.grant-tree > ul').evaluate((ul) => ul.scrollHeight - ul.clientHeight)).toBe(0);
  await panel.getByRole('textbox').fill('post_syslog/export');
  await expect(panel.getByText('post_syslog/export')).toBeVisible();
});

test('the role editor has no serious violation of WCAG 2.2 AA', { tag: '@all' }, async ({ page }) => {
  await loginAt(page, await as('bluesea'), '/permission/role');
  const box = await openEditor(page);
  await set(box, '日志管理', operable);
  await open(box, '权限管理');
  await set(box, '角色管理', showOnly);
  await expectAccessibleInBothThemes(page);
});
