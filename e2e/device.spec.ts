import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { logIn } from './support/api.ts';
import { newGateway } from './support/field.ts';
import { confirm, input, line, refusal } from './support/form.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { choose, menuItem, rowOf, rows, runAction } from './support/table.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';
import { newVno, unique } from './support/world.ts';

const showColumns = async (page: Page, button: string, names: readonly string[]) => {
  await page.getByRole('button', { name: button }).click();
  for (const name of names) await page.getByRole('checkbox', { name, exact: true }).check();
  await page.keyboard.press('Escape');
};

/** Chooses from a list that needs a search. */
const find = async (form: Locator, label: string, option: string) => {
  await form.getByRole('combobox', { name: label }).fill(option);
  await form.page().locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByText(option, { exact: true }).click();
};

/** The platform has one color table, so each language changes its own row. */
const colourOf = { zh: 'abnormal', en: 'off' } as const;

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  const labels = {
    columns: t('列设置', 'Columns'),
    online: t('在线', 'Online'),
    offline: t('离线', 'Offline'),
    edit: t('编辑', 'Edit'),
    more: new RegExp(`^${t('更多', 'More')}`),
    lock: t('锁定全球网', 'Global network'),
    proxy: t('代理地址', 'Proxy address'),
    port: t('代理端口', 'Proxy port'),
    replace: t('更换设备', 'Replace'),
    newSn: t('新设备SN', 'New SN'),
    newGroup: t('新增设备组', 'New group'),
    editGroup: t('编辑设备组', 'Edit group'),
    members: t('组内设备', 'Devices'),
    group: t('设备组', 'Group'),
    setGroup: t('设置设备组', 'Set group'),
    portal: t('门户', 'Portal'),
    setPortal: t('设置门户', 'Set portal'),
    authorize: t('授权', 'Authorize'),
    suspended: t('授权暂停', 'Suspended'),
    colour: t('显示颜色', 'Color'),
  };

  test(`renames, locks, replaces and deletes a gateway, and updates the list live (${lang})`, async ({ page }) => {
    const vno = await newVno();
    const [gateway, other] = await Promise.all([newGateway({ vno }), newGateway({ vno })]);
    const name = unique('探索者');
    await loginAt(page, vno, '/device/list', { lang });
    await showColumns(page, labels.columns, [
      t('链路锁定', 'Link lock'),
      t('WAN链路', 'WAN links'),
      t('LAN口状态', 'LAN port status'),
      t('设备密钥', 'Device key'),
    ]);
    const row = rowOf(page, gateway.sn);
    await expect(row).toContainText(labels.online);
    await expect(row).toContainText('••••');
    await expectAccessible(page);

    await runAction(row, labels.edit);
    const form = dialog(page, t('编辑设备', 'Edit device'));
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(t('您未做任何修改', "You haven't made any changes"));
    await input(form, t('设备名称', 'Device name')).fill(name);
    await input(form, labels.proxy).fill('10.0.0.300');
    await form.getByRole('radio', { name: labels.lock }).check();
    await confirm(form, lang);
    await expect(refusal(form, labels.proxy)).toHaveText(t('IPv4地址格式不正确', 'Not a valid IPv4 address'));
    await expect(refusal(form, labels.port)).toHaveText(t('请输入代理端口', 'Please enter proxy port'));
    await input(form, labels.proxy).fill('10.0.0.30');
    await input(form, labels.port).fill('8080');
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(t('编辑成功', 'Edit: done'));
    // The page shows the change after the gateway has confirmed it.
    await expect(row).toContainText(name);
    await expect(row).toContainText(labels.lock);
    expect(await gateway.groundTruth()).toMatchObject({ lock: 'global', sections: { proxy: { doc: { addr: '10.0.0.30', port: 8080 } } } });

    // A new link needs a new connection, so the test waits for it before the power-off.
    await expect.poll(() => gateway.groundTruth()).toMatchObject({ link: '6d', state: 'online' });
    await row.getByRole('button', { name: labels.more }).click();
    await expect(await menuItem(page, labels.replace)).toBeDisabled();
    await page.keyboard.press('Escape');
    await gateway.power('off');
    await expect(row).toContainText(labels.offline);
    await runAction(row, labels.replace);
    const box = dialog(page, t('更换设备', 'Replace device'));
    await input(box, labels.newSn).fill(other.sn);
    await confirm(box, lang);
    await expect(refusal(box, labels.newSn)).toHaveText(t('新设备SN已被绑定', 'The new SN is already bound'));
    const spare = `${gateway.sn}B`;
    await input(box, labels.newSn).fill(spare);
    await confirm(box, lang);
    await expect(toast(page)).toHaveText(t('更换设备成功', 'Replace: done'));
    await expect(rowOf(page, spare)).toContainText(name);

    await runAction(rowOf(page, spare), t('删除', 'Delete'));
    await confirm(dialog(page), lang);
    await expect(toast(page)).toHaveText(t('删除成功', 'Delete: done'));
    await expect(rowOf(page, spare)).toHaveCount(0);
    await expect(rows(page)).toHaveCount(1);
  });

  test(`groups and authorizes devices together, delays a portal for a better link, and disconnects suspended gateways (${lang})`, {
    tag: '@all',
  }, async ({ page }) => {
    const vno = { ...(await logIn('bluesea')), username: 'bluesea' };
    const [first, second] = await Promise.all([newGateway({ vno, bill: 1 }), newGateway({ vno, bill: 2 })]);
    const group = unique('Fleet ');
    await loginAt(page, vno, '/device/group', { lang });
    await page.getByRole('main').getByRole('button', { name: labels.newGroup }).click();
    const form = dialog(page, labels.newGroup);
    await input(form, t('设备组名称', 'Group name')).fill(group);
    await line(form, labels.members).getByPlaceholder(t('搜索', 'Search')).fill(first.sn);
    await line(form, labels.members).getByRole('button', { name: first.sn }).click();
    await expectAccessible(page);
    await confirm(form, lang);
    await expect(toast(page)).toHaveText(t('新增设备组成功', 'New group: done'));
    await runAction(rowOf(page, group), labels.edit);
    await expect(line(dialog(page, labels.editGroup), labels.members)).toContainText(t('已选 1', 'Chosen 1'));
    await dialog(page, labels.editGroup)
      .getByRole('button', { name: t('取消', 'Cancel') })
      .click();

    await page.goto('/device/list');
    await showColumns(page, labels.columns, [labels.group, labels.portal]);
    const one = rowOf(page, first.sn);
    const two = rowOf(page, second.sn);
    await expect(one).toContainText(group);
    await two.getByRole('checkbox').check();
    await page.getByRole('button', { name: labels.setGroup }).click();
    await find(dialog(page, labels.setGroup), labels.group, group);
    await confirm(dialog(page, labels.setGroup), lang);
    await expect(two).toContainText(group);

    await first.link('l_band');
    await expect(one).toContainText(t('L波段', 'L-band'));
    await one.getByRole('checkbox').check();
    await two.getByRole('checkbox').check();
    await page.getByRole('button', { name: labels.setPortal }).click();
    const portal = dialog(page, labels.setPortal);
    await choose(portal, labels.portal, 'Crew');
    await expect(line(portal, t('计费类型', 'Billing type'))).toContainText(t('计费上网', 'Charged'));
    await expect(portal.getByRole('status')).toContainText(
      t('处于L波段链路，将等待切换到其他链路后下发：1 台', 'On the L-band link, sent after switching to another link: 1'),
    );
    await expect(portal.getByRole('status')).toContainText(
      t('计费模式与该门户不匹配，将失败：1 台', 'Will fail because the billing mode does not match this portal: 1'),
    );
    await expectAccessible(page);
    await confirm(portal, lang);
    const result = dialog(page, t('设置门户结果', 'Set portal: result'));
    await expect(result).toContainText(
      t('设备的计费模式与门户的计费类型不匹配', 'The billing mode of the device does not match the billing type of the portal'),
    );
    await result
      .getByRole('button', { name: t('关闭', 'Close') })
      .last()
      .click();
    await first.link('lte');
    await expect(one).toContainText('Crew');

    await runAction(one, labels.authorize);
    const auth = dialog(page, t('修改授权', 'Modify authorization'));
    await auth.getByRole('radio', { name: labels.suspended }).check();
    await line(auth, t('授权到期日', 'Authorized until')).getByRole('textbox').fill('2099-12-31');
    await page.keyboard.press('Enter');
    await confirm(auth, lang);
    await expect(one).toContainText(labels.suspended);
    await expect(one).toContainText(labels.offline);
    await one.getByRole('button', { name: labels.more }).click();
    await expect(await menuItem(page, labels.authorize)).toBeDisabled();
  });

  test(`lets the platform set the link colors (${lang})`, { tag: '@all' }, async ({ page }) => {
    const theme = lang === 'en' ? 'dark' : 'light';
    await loginAt(page, await logIn('admin'), `/device/link-status-color?network=unknown&link_state=${colourOf[lang]}`, { lang, theme });
    await expect(rows(page)).toHaveCount(1);
    await runAction(rows(page).first(), t('修改颜色', 'Change color'));
    const form = dialog(page, t('修改链路颜色', 'Change link color'));
    const hex = form.getByRole('textbox', { name: labels.colour, exact: true });
    await hex.fill('red');
    await confirm(form, lang);
    await expect(refusal(form, labels.colour)).toHaveText(t('颜色格式为 #RRGGBB', 'A color as #RRGGBB'));
    await form.getByLabel(t('选取颜色', 'Pick a color')).fill('#aa3311');
    await expect(hex).toHaveValue('#AA3311');
    await expectAccessible(page);
    await confirm(form, lang);
    await expect(rows(page).first()).toContainText('#AA3311');
    await page.reload();
    await expect(rows(page).first()).toContainText('#AA3311');
    // The color text is aligned with its row.
    const lift = await rows(page)
      .first()
      .locator('td[data-kind=color]')
      .evaluate((cell) => {
        const middle = (e: Element) => e.getBoundingClientRect().top + e.getBoundingClientRect().height / 2;
        return Math.abs(middle(cell) - middle(cell.querySelector('.mono') ?? cell));
      });
    expect(lift).toBeLessThanOrEqual(1);
    await expect(rows(page).first()).toContainText('系统管理员');
  });
}
