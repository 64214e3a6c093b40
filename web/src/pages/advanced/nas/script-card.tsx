import { nasCalls, nasResource } from '@farlink/contract/advanced/nas.ts';
import type { NasRecord } from '@farlink/contract/advanced/nas-detail.ts';
import { type NasSetup, nasScripts, scriptOf } from '@farlink/contract/advanced/nas-scripts.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { call } from '../../../kit/net/call.ts';
import { useMe } from '../../../kit/net/session.ts';
import { copyText } from '../../../ui/browser/copy.ts';
import { ActButton } from '../../../ui/native/act-button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { NativeSelect } from '../../../ui/native/select.tsx';
import './nas.css';

const texts = {
  title: ['设置脚本', 'Set-up script'],
  maker: ['厂商', 'Maker'],
  reveal: ['填入密钥', 'Insert the secret'],
  copy: ['复制', 'Copy'],
  copied: ['已复制', 'Copied'],
  notCopied: ['浏览器不允许复制', 'The browser does not allow copying'],
  noHost: ['未设置PUBLIC_URL，请自行填写服务器地址', 'PUBLIC_URL is not set. Enter the address of the server yourself.'],
  vendor: ['厂商属性应设为“{0}”', 'Vendor attributes should be "{0}"'],
} as const satisfies Record<string, Text>;

const vendorLabel = (id: string): Text => nasResource.fields.vendor.options?.find((option) => option.id === id)?.label ?? [id, id];

const copy = async (text: string) => ((await copyText(text)) ? notify.success(t(texts.copied)) : notify.warning(t(texts.notCopied)));

const setupOf = (nas: NasRecord, secret: string | undefined): NasSetup => ({
  identifier: nas.identifier ?? '',
  transport: nas.transport ?? 'udp',
  coa_port: nas.coa_port ?? 0,
  interval_s: nas.interval_s ?? 0,
  chap: nas.chap === true,
  mschap: nas.mschap === true,
  require_ma: nas.require_ma === true,
  server: nas.server,
  secret,
});

/** The script that connects a router of one maker. Its secret is inserted by a logged call. */
export const ScriptCard = ({ nas }: { readonly nas: NasRecord }) => {
  const me = useMe();
  const offered = nasScripts.filter(({ transports }) => transports.some((transport) => transport === nas.transport));
  const [maker, setMaker] = useState<string>();
  const [revealed, setRevealed] = useState<{ readonly version: number; readonly secret: string }>();
  const script = offered.find(({ id }) => id === maker) ?? offered.find(({ vendor }) => vendor === nas.vendor) ?? offered[0];
  if (!script) return null;
  // A new secret has a new version of the record.
  const version = nas.version ?? 0;
  const secret = revealed?.version === version ? revealed.secret : undefined;
  const text = scriptOf(script, setupOf(nas, secret));
  const reveal = async () => {
    const { value } = await call(nasCalls.reveal, { id: nas.id }, { overlay: false });
    setRevealed({ version, secret: value });
  };
  return (
    <section className="card nas-card" aria-label={t(texts.title)}>
      <header className="row wrap">
        <h3>{t(texts.title)}</h3>
        <NativeSelect
          id="nas-maker"
          label={t(texts.maker)}
          value={script.id}
          options={offered.map(({ id, label }) => ({ value: id, label: t(label) }))}
          onChange={setMaker}
        />
        <span className="spring" />
        {secret === undefined && mayCall(nasCalls.reveal, me) && <ActButton label={t(texts.reveal)} onClick={() => void reveal()} />}
        <ActButton label={t(texts.copy)} of={t(texts.title)} onClick={() => void copy(text)} />
      </header>
      {nas.server.host === '' && <Callout tone="warning">{t(texts.noHost)}</Callout>}
      {script.vendor !== nas.vendor && <Callout tone="warning">{t(fill(texts.vendor, vendorLabel(script.vendor)))}</Callout>}
      <textarea className="nas-script" readOnly rows={text.split('\n').length} wrap="off" value={text} aria-label={t(texts.title)} />
    </section>
  );
};
