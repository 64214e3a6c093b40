import { lanState, linkState } from '@farlink/contract/device/choices.ts';
import type { ApNow, DeviceNow, LinkNow } from '@farlink/contract/device/device-detail.ts';
import type { Option } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import type { ReactNode } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { tips } from '../../../ui/browser/tip.ts';
import { ProgressBar } from '../../../ui/charts/progress-bar.tsx';
import { nothing, numberText } from '../../../ui/format.ts';
import { Point, Tag } from '../../../ui/native/tag.tsx';

const texts = {
  links: ['WAN链路', 'WAN links'],
  link: ['链路', 'Link'],
  state: ['状态', 'State'],
  quality: ['质量', 'Quality'],
  rtt: ['往返时延', 'Round trip'],
  up: ['上行', 'Up'],
  down: ['下行', 'Down'],
  inUse: ['使用中', 'In use'],
  noLinks: ['网关尚未上报链路', 'The gateway has not reported any links'],
  ports: ['LAN口', 'LAN ports'],
  noPorts: ['设备离线', 'Offline'],
  aps: ['无线AP', 'Access points'],
  ap: ['AP', 'AP'],
  stations: ['终端数', 'Stations'],
  mac: ['MAC地址', 'MAC address'],
  noAps: ['没有AP', 'No access points'],
} as const satisfies Record<string, Text>;

const optionOf = (options: readonly Option[], id: string) => options.find((o) => o.id === id);
const bytes = (value: number | null) => (value === null ? nothing : bytesText(value));

const State = ({ options, id }: { readonly options: readonly Option[]; readonly id: string }) => {
  const found = optionOf(options, id);
  return <Point color={found?.color}>{found ? t(found.label) : id}</Point>;
};

const LinkRow = ({ link }: { readonly link: LinkNow }) => (
  <tr data-current={link.is_current || undefined}>
    <th scope="row">
      <span className="link-name" style={{ ['--hue' as string]: link.color }}>
        {link.name}
      </span>
      {link.is_current && <Tag color="green">{t(texts.inUse)}</Tag>}
    </th>
    <td>
      <State options={linkState} id={link.state} />
    </td>
    <td>{link.quality === null ? nothing : <ProgressBar percent={link.quality} label={`${link.name} ${t(texts.quality)}`} />}</td>
    <td className="num">{link.rtt === null ? nothing : `${numberText(link.rtt)} ms`}</td>
    <td className="num">{bytes(link.up_bytes)}</td>
    <td className="num">{bytes(link.down_bytes)}</td>
  </tr>
);

const Ports = ({ lan }: { readonly lan: DeviceNow['lan'] }) => (
  <ul className="ports" aria-label={t(texts.ports)}>
    {lan.map((state, i) => {
      const found = optionOf(lanState, state);
      const name = `LAN${i + 1}`;
      return (
        <li key={name} className={`hue-${found?.color ?? 'default'}`} data-state={state} data-tip={found && `${name}: ${t(found.label)}`}>
          {name}
          <span className="visually-hidden"> {found && t(found.label)}</span>
        </li>
      );
    })}
  </ul>
);

const ApTable = ({ aps }: { readonly aps: readonly ApNow[] }) => (
  <table className="board">
    <thead>
      <tr>
        <th scope="col">{t(texts.ap)}</th>
        <th scope="col">{t(texts.state)}</th>
        <th scope="col" className="num">
          {t(texts.stations)}
        </th>
        <th scope="col">{t(texts.mac)}</th>
      </tr>
    </thead>
    <tbody>
      {aps.map((ap) => (
        <tr key={ap.name}>
          <th scope="row">{ap.name}</th>
          <td>
            <State options={linkState} id={ap.state} />
          </td>
          <td className="num">{ap.stations}</td>
          <td className="mono">{ap.mac ?? nothing}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Uplinks of the gateway, and devices connected to it. */
export const LinkBoard = ({ now, failed }: { readonly now: DeviceNow | undefined; readonly failed: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
  <section className="card device-section" aria-label={t(texts.links)} tabIndex={0} {...tips}>
    <h3>{t(texts.links)}</h3>
    {failed}
    {now && now.links.length === 0 && <p className="muted">{t(texts.noLinks)}</p>}
    {now && now.links.length > 0 && (
      <table className="board">
        <thead>
          <tr>
            <th scope="col">{t(texts.link)}</th>
            <th scope="col">{t(texts.state)}</th>
            <th scope="col">{t(texts.quality)}</th>
            <th scope="col" className="num">
              {t(texts.rtt)}
            </th>
            <th scope="col" className="num">
              {t(texts.up)}
            </th>
            <th scope="col" className="num">
              {t(texts.down)}
            </th>
          </tr>
        </thead>
        <tbody>
          {now.links.map((link) => (
            <LinkRow key={link.name} link={link} />
          ))}
        </tbody>
      </table>
    )}
    <h3>{t(texts.ports)}</h3>
    {now && (now.lan.length === 0 ? <p className="muted">{t(texts.noPorts)}</p> : <Ports lan={now.lan} />)}
    <h3>{t(texts.aps)}</h3>
    {now && (now.aps.length === 0 ? <p className="muted">{t(texts.noAps)}</p> : <ApTable aps={now.aps} />)}
  </section>
);
