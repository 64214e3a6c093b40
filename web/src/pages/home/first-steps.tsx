import type { Text } from '@farlink/contract/kit/text.ts';
import { headOf, type PageKey } from '@farlink/contract/menu.ts';
import { entryGrant, mayOpen } from '@farlink/contract/rights.ts';
import { useId } from 'react';
import { Link } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { useMe } from '../../kit/net/session.ts';

const texts = {
  title: ['从这里开始', 'Get started'],
  hint: [
    '还没有设备。完成以下步骤后，这里显示地图和数据。',
    'There are no devices yet. After these steps, the map and the figures appear here.',
  ],
} as const satisfies Record<string, Text>;

interface Step {
  readonly page: PageKey;
  readonly label: Text;
  readonly hint: Text;
}

const steps: readonly Step[] = [
  {
    page: 'infoSetup',
    label: ['填写运营商信息', 'Enter your operator information'],
    hint: ['名称和Logo显示在控制台和门户', 'Name and logo appear in console and portal'],
  },
  {
    page: 'deviceList',
    label: ['接入第一台网关', 'Connect the first gateway'],
    hint: ['在网关上填写商户码，然后在设备列表中审批', 'Enter the merchant code at the gateway, then approve it in the device list'],
  },
  {
    page: 'netPackage',
    label: ['创建上网套餐', 'Create a package'],
    hint: ['设置流量、时长和价格', 'Set traffic, duration and price'],
  },
  {
    page: 'userCreate',
    label: ['为第一个用户开户', 'Open the first account'],
    hint: ['也可以批量导入用户', 'Users can also be imported'],
  },
];

/** Setup steps of a new VNO that the session has permission for. */
export const FirstSteps = () => {
  const me = useMe();
  const id = useId();
  const open = steps.filter(({ page }) => mayOpen(headOf(page), me) && entryGrant(headOf(page), me) === '11');
  return (
    <section className="card home-card home-start" aria-labelledby={id}>
      <header className="row wrap small">
        <h2 id={id}>{t(texts.title)}</h2>
      </header>
      <p className="muted">{t(texts.hint)}</p>
      <ol className="home-steps">
        {open.map(({ page, label, hint }) => (
          <li key={page}>
            <Link className="act" to={headOf(page).route}>
              {t(label)}
            </Link>
            <span className="muted">{t(hint)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
};
