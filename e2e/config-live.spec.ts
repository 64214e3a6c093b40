import { say } from '@farlink/contract/kit/text.ts';
import { expect, type Locator, type Page } from '@playwright/test';
import { as } from './support/api.ts';
import { deviceOf, newGateway } from './support/field.ts';
import { dialog, loginAt, toast } from './support/login-as.ts';
import { storyLangs } from './support/story-langs.ts';
import { test } from './support/test.ts';
import { expectAccessible } from './support/violations.ts';

const main = (page: Page) => page.locator('.config-main');
const box = (at: Locator, label: string) => at.getByLabel(label, { exact: true });
const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: typeof name === 'string' });
const configOf = (id: number, page: string) => `/device/gateway-config/${id}?page=${page}`;

for (const lang of storyLangs(import.meta.url)) {
  const t = (zh: string, en: string) => say([zh, en], lang);
  test(`shows a live overview, opens a page from the quick menu, and streams the output of a ping (${lang})`, { tag: '@all' }, async ({
    page,
  }) => {
    const gateway = await newGateway({ accounts: ['crew01'] });
    await gateway.signIn('crew01');
    await loginAt(page, await as('admin'), configOf(gateway.deviceId, 'status_overview'), { lang });
    const shown = main(page);
    await expect(shown.locator('.live-badge')).toContainText(t('实时', 'Live'));
    await expect(shown.locator('dl')).toContainText(gateway.sn);
    await expect(shown.locator('dl > div', { hasText: t('在线用户数', 'Online users') })).toContainText('1');
    await expectAccessible(page);
    await gateway.signIn('crew02');
    await button(shown, t('立即刷新', 'Refresh')).click();
    await expect(shown.locator('dl > div', { hasText: t('在线用户数', 'Online users') })).toContainText('2');

    const quick = page.getByRole('navigation', { name: t('快捷菜单', 'Quick menu') });
    const users = quick.getByRole('link', { name: t('在线用户', 'Online users') });
    // English labels are longer, so the item can be in the menu.
    if ((await users.count()) === 0) await button(quick, t('更多 快捷菜单', 'More Quick menu')).click();
    await users.or(page.getByRole('menuitem', { name: t('在线用户', 'Online users') })).click();
    await expect(page).toHaveURL(/page=status_online_user/);
    await expect(shown.getByRole('row', { name: /crew02/ })).toContainText('LEO (wan_leo)');
    // The URL of a shortcut opens its target page.
    await page.goto(configOf(gateway.deviceId, 'quick_menu_health_check'));
    await expect(page).toHaveURL(/page=diagnosis_health_check/);

    await page.goto(configOf(gateway.deviceId, 'diagnosis_ping'));
    await button(shown, t('执行', 'Run')).click();
    await expect(shown).toContainText(t('请输入目标地址或域名', 'Please enter host'));
    await box(shown, t('目标地址或域名', 'Host')).fill('www.baidu.com');
    await box(shown, t('次数', 'Count')).fill('6');
    await button(shown, t('执行', 'Run')).click();
    const output = shown.getByRole('log', { name: t('输出', 'Output') });
    await expect(output).toContainText('6 packets transmitted');
    await expect(output).toContainText(t('— 完成 —', '— done —'));
    // The simulator loses some packets; each loss is shown in its place.
    const tries = [...((await output.textContent()) ?? '').matchAll(/^(?:.* icmp_seq=|Request timeout for seq )(\d+)/gm)];
    expect(tries.map(([, seq]) => seq)).toEqual(['1', '2', '3', '4', '5', '6']);
    await expect(shown.locator('.run-result')).toContainText(t('丢包率', 'Loss'));
    await expectAccessible(page);
    // The output stays available after the run.
    await page.reload();
    await button(shown.getByRole('row', { name: /www\.baidu\.com/ }), new RegExp(`^${t('查看输出', 'Show output')}`)).click();
    await expect(output).toContainText('6 packets transmitted');

    // On a link billed by volume, bulk transfers need the consent of the operator.
    await gateway.link('l_band');
    await expect(page.locator('.config-head').getByText(t('L波段', 'L-band'), { exact: true })).toBeVisible();
    await page.goto(configOf(gateway.deviceId, 'diagnosis_speed_test'));
    await box(shown, t('链路', 'Link')).selectOption('wan_lband');
    await box(shown, t('我了解测速会消耗流量', 'I understand this uses data')).click();
    await button(shown, t('执行', 'Run')).click();
    await expect(toast(page)).toContainText(t('当前处于L波段链路', 'The device is on the L-band link'));
  });

  test(`reviews and applies the pages of a wizard together (${lang})`, async ({ page }) => {
    const gateway = await newGateway();
    await loginAt(page, await as('admin'), configOf(gateway.deviceId, 'guide_wifi_portal'), {
      lang,
      theme: lang === 'en' ? 'dark' : 'light',
    });
    const shown = main(page);
    await box(shown, t('无线名称', 'SSID')).fill('Crew');
    await button(shown, t('下一步', 'Next')).click();
    await box(shown, t('业务网段网关', 'Service subnet gateway')).fill('192.168.10.9/24');
    await button(shown, t('下一步', 'Next')).click();
    await button(shown, t('下一步', 'Next')).click();
    await expect(shown).toContainText('192.168.10.9/24');
    await expectAccessible(page, 'wizard');
    await button(shown, t('生成草稿并核对', 'Make drafts and review')).click();
    // The subnet is already used by the LAN; the error is shown at its step.
    await expect(shown.locator('.guide-steps [data-wrong]')).toHaveText(new RegExp(t('业务网段', 'Service network')));
    await box(shown, t('业务网段网关', 'Service subnet gateway')).fill('192.168.20.1/24');
    await button(shown.locator('.guide-steps'), new RegExp(t('核对', 'Review'))).click();
    await button(shown, t('生成草稿并核对', 'Make drafts and review')).click();
    const review = dialog(page, t('核对并下发', 'Review and apply'));
    await expect(review).toContainText('VLAN');
    await expect(review).toContainText('SSID');
    await box(review, t('失联自动回退', 'Roll back if lost')).fill('0');
    await button(review, new RegExp(t('^下发 \\d 页$', '^Apply \\d pages$'))).click();
    await expect(page.locator('.apply-strip')).toContainText(t('已生效', 'Applied'));
    await expect
      .poll(async () => JSON.stringify((await gateway.groundTruth()).sections.network_vlan?.doc ?? {}))
      .toContain('192.168.20.1/24');
  });

  test(`rolls a wrong binding back after the gateway is lost, and applies a correct one (${lang})`, async ({ page }) => {
    const gateway = await newGateway({ bill: 1 });
    await loginAt(page, await as('admin'), configOf(gateway.deviceId, 'guide_platform_binding'), { lang });
    const shown = main(page);
    const strip = page.locator('.apply-strip');
    const bind = async (host: string) => {
      await button(shown.locator('.guide-steps'), new RegExp(t('平台', 'Platform'))).click();
      await box(shown, t('平台地址', 'Platform address')).fill(host);
      await button(shown.locator('.guide-steps'), new RegExp(t('核对', 'Review'))).click();
      await button(shown, t('生成草稿并核对', 'Make drafts and review')).click();
    };
    const apply = async () => {
      const review = dialog(page, t('核对并下发', 'Review and apply'));
      await expect(review.getByRole('row', { name: t('计费模式', 'Billing mode') })).toContainText(t('共存', 'Mixed'));
      await box(review, t('失联自动回退', 'Roll back if lost')).fill('600');
      await button(review, t('下发 1 页', 'Apply 1 page')).click();
    };
    await box(shown, t('平台地址', 'Platform address')).fill('noc.example.com');
    await button(shown, t('下一步', 'Next')).click();
    await box(shown, t('商户编码', 'Merchant code')).fill('EAST');
    await box(shown, t('设备密钥', 'Device key')).fill('k'.repeat(20));
    await box(shown, t('计费模式', 'Billing mode')).getByLabel(t('共存', 'Mixed')).check();
    const restore = shown.getByRole('switch', { name: t('绑定后恢复平台备份', 'Restore platform backup after binding') });
    await restore.click();
    await bind('noc.example.com');
    await expect(shown).toContainText(t('平台上没有该设备的备份', 'The platform has no backup of this device'));
    await restore.click();
    await bind('noc.example.com');
    await apply();
    await expect.poll(async () => (await gateway.groundTruth()).sections.advanced_cloud_platform?.doc.host).toBe('noc.example.com');
    expect((await gateway.groundTruth()).state).toBe('off');
    await gateway.pass(601);
    await expect(strip).toContainText(
      t('下发后 10分内未能恢复连接，网关已自动回退', 'The gateway did not reconnect within 10m and rolled back automatically'),
    );
    await expect.poll(async () => (await gateway.groundTruth()).sections.advanced_cloud_platform?.doc.host).not.toBe('noc.example.com');

    await bind('127.0.0.1');
    await apply();
    await expect(strip).toContainText(t('已生效', 'Applied'));
    await expect.poll(async () => (await deviceOf(gateway.vno, gateway.sn))?.billing_mode).toBe(3);
  });

  test(`requires a reason for a modem terminal, and blocks input in read-only mode (${lang})`, { tag: '@all' }, async ({
    page,
    context,
  }) => {
    const gateway = await newGateway();
    await loginAt(page, await as('admin'), configOf(gateway.deviceId, 'telnet_modem'), { lang });
    const shown = main(page);
    const reason = t('检查信噪比', 'Checking the SNR');
    await box(shown, t('调制解调器', 'Modem')).selectOption('modem1');
    await shown.getByLabel('SSH').check();
    await button(shown, t('打开终端', 'Open the terminal')).click();
    await expect(shown).toContainText(t('请输入操作原因', 'Please enter reason'));
    await box(shown, t('操作原因', 'Reason')).fill(reason);
    await box(shown, t('只读模式', 'Read-only mode')).click();
    const [tab] = await Promise.all([context.waitForEvent('page'), button(shown, t('打开终端', 'Open the terminal')).click()]);
    const screen = tab.locator('.xterm-rows');
    await expect(screen).toContainText('iDirect Evolution');
    await expect(tab.locator('.detail-head')).toContainText(t('只读', 'Read only'));
    await tab.locator('.xterm-helper-textarea').pressSequentially('rx snr');
    await tab.keyboard.press('Enter');
    await button(tab, t('断开', 'Disconnect')).click();
    await expect(screen).not.toContainText('Rx SNR');
    await page.reload();
    await expect(shown.getByRole('row', { name: reason })).toBeVisible();
  });
}
