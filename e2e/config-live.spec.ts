import { expect, type Locator, type Page, test } from '@playwright/test';
import { as } from './support/api.ts';
import { dialog, notice, sitAt } from './support/desk.ts';
import { freshGateway } from './support/field.ts';
import { expectAccessible } from './support/violations.ts';

const patience = { timeout: 30_000 };
const main = (page: Page) => page.locator('.config-main');
const box = (at: Locator, label: string) => at.getByLabel(label, { exact: true });
const button = (at: Page | Locator, name: string | RegExp) => at.getByRole('button', { name, exact: typeof name === 'string' });
const configOf = (id: number, page: string) => `/device/gateway-config/${id}?page=${page}`;

test('an overview is live, the quick menu leads on, and a ping tells line by line what it finds', async ({ page }) => {
  test.setTimeout(120_000);
  const gateway = await freshGateway({ accounts: ['crew01'] });
  await gateway.signIn('crew01');
  await sitAt(page, await as('admin'), configOf(gateway.deviceId, 'status_overview'));
  const shown = main(page);
  await expect(shown.locator('.live-badge')).toContainText('实时', patience);
  await expect(shown.locator('dl')).toContainText(gateway.sn);
  await expect(shown.locator('dl > div', { hasText: '在线用户数' })).toContainText('1');
  await expectAccessible(page);
  await gateway.signIn('crew02');
  await button(shown, '立即刷新').click();
  await expect(shown.locator('dl > div', { hasText: '在线用户数' })).toContainText('2', patience);

  await page.getByRole('navigation', { name: '快捷菜单' }).getByRole('link', { name: '在线用户' }).click();
  await expect(page).toHaveURL(/page=status_online_user/);
  await expect(shown.getByRole('row', { name: /crew02/ })).toContainText('LEO (wan_leo)', patience);
  // The address of a short way opens where it leads.
  await page.goto(configOf(gateway.deviceId, 'quick_menu_health_check'));
  await expect(page).toHaveURL(/page=diagnosis_health_check/);

  await page.goto(configOf(gateway.deviceId, 'diagnosis_ping'));
  await button(shown, '执行').click();
  await expect(shown).toContainText('请输入目标地址或域名');
  await box(shown, '目标地址或域名').fill('www.baidu.com');
  await box(shown, '次数').fill('6');
  await button(shown, '执行').click();
  const output = shown.getByRole('log', { name: '输出' });
  await expect(output).toContainText('icmp_seq=6', patience);
  await expect(output).toContainText('6 packets transmitted');
  await expect(output).toContainText('完成');
  const lines = ((await output.textContent()) ?? '').split('\n').filter((line) => line.includes('icmp_seq='));
  expect(lines.map((line) => line.match(/icmp_seq=(\d+)/)?.[1])).toEqual(['1', '2', '3', '4', '5', '6']);
  await expect(shown.locator('.run-result')).toContainText('丢包率');
  await expectAccessible(page);
  // What was run stays to be read.
  await page.reload();
  await button(shown.getByRole('row', { name: /www\.baidu\.com/ }), /^查看输出/).click();
  await expect(output).toContainText('6 packets transmitted', patience);

  // Where each byte is billed nothing heavy begins without consent.
  await gateway.link('l_band');
  await expect(page.locator('.config-head')).toContainText('L波段', patience);
  await page.goto(configOf(gateway.deviceId, 'diagnosis_speed_test'));
  await box(shown, '链路').selectOption('wan_lband');
  await box(shown, '我了解测速会消耗流量').click();
  await button(shown, '执行').click();
  await expect(notice(page)).toContainText('当前处于L波段链路');
});

test('a guide leads through several pages, and all of them are reviewed and applied together', async ({ page }) => {
  test.setTimeout(120_000);
  const gateway = await freshGateway();
  await sitAt(page, await as('admin'), configOf(gateway.deviceId, 'guide_wifi_portal'), { lang: 'en', theme: 'dark' });
  const shown = main(page);
  await box(shown, 'SSID').fill('Crew');
  await button(shown, 'Next').click();
  await box(shown, 'Service subnet gateway').fill('192.168.10.9/24');
  await button(shown, 'Next').click();
  await button(shown, 'Next').click();
  await expect(shown).toContainText('192.168.10.9/24');
  await expectAccessible(page);
  await button(shown, 'Make drafts and review').click();
  // The subnet is the LAN's already: it is said where it can be mended.
  await expect(shown.locator('.guide-steps [data-wrong]')).toHaveText(/Service network/);
  await box(shown, 'Service subnet gateway').fill('192.168.20.1/24');
  await button(shown.locator('.guide-steps'), /Review/).click();
  await button(shown, 'Make drafts and review').click();
  const review = dialog(page, /Review and apply/);
  await expect(review).toContainText('VLAN', patience);
  await expect(review).toContainText('SSID');
  await box(review, 'Go back if lost').fill('0');
  await button(review, /^Apply \d pages$/).click();
  await expect(page.locator('.apply-strip')).toContainText('Applied', patience);
  await expect
    .poll(async () => JSON.stringify((await gateway.truth()).sections.network_vlan?.doc ?? {}), patience)
    .toContain('192.168.20.1/24');
});

test('a terminal of the modem is opened for a reason, and read only it lets nothing through', async ({ page, context }) => {
  test.setTimeout(120_000);
  const gateway = await freshGateway();
  await sitAt(page, await as('admin'), configOf(gateway.deviceId, 'telnet_modem'));
  const shown = main(page);
  await box(shown, '调制解调器').selectOption('modem1');
  await shown.getByLabel('SSH').check();
  await button(shown, '打开终端').click();
  await expect(shown).toContainText('请输入操作原因');
  await box(shown, '操作原因').fill('检查信噪比');
  await box(shown, '只读模式').click();
  const [tab] = await Promise.all([context.waitForEvent('page'), button(shown, '打开终端').click()]);
  const screen = tab.locator('.xterm-rows');
  await expect(screen).toContainText('iDirect Evolution', patience);
  await expect(tab.locator('.detail-head')).toContainText('只读');
  await tab.locator('.xterm-helper-textarea').pressSequentially('rx snr');
  await tab.keyboard.press('Enter');
  await button(tab, '断开').click();
  await expect(screen).not.toContainText('Rx SNR');
  await page.reload();
  await expect(shown.getByRole('row', { name: /检查信噪比/ })).toBeVisible(patience);
});
