import type { ConfigTree } from '@farlink/contract/config/config.ts';
import { exchangeCalls } from '@farlink/contract/config/exchange.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { fieldPathText } from '../../../kit/document/field-path.ts';
import { usePages } from '../../../kit/document/schema.ts';
import { CallError, call } from '../../../kit/net/call.ts';
import { Button } from '../../../ui/native/button.tsx';
import { Callout } from '../../../ui/native/callout.tsx';
import { FileButton } from '../../../ui/native/file-button.tsx';
import { LineInput } from '../../../ui/native/line-input.tsx';
import { Panel } from '../../../ui/native/panel.tsx';
import { PageSelection } from '../frame/page-selection.tsx';
import { type ChosenFile, readConfigFile } from './read-config-file.ts';

const texts = {
  title: ['导入配置 · {0}', 'Import · {0}'],
  choose: ['选择配置文件', 'Choose a configuration file'],
  notOne: ['“{0}”不是配置文件，或超过900KB', '"{0}" is not a configuration file, or is larger than 900 KB'],
  from: ['来自 {0}', 'From {0}'],
  password: ['文件密码（不填则保留设备自己的保密内容）', 'File password (without it, the device keeps its own secrets)'],
  pages: ['要导入的配置页', 'Pages to import'],
  wrong: ['文件中有 {0} 处不符合要求，未导入任何内容', 'Problems in the file: {0}. Nothing was imported.'],
  take: ['导入为草稿', 'Import as drafts'],
  cancel: ['取消', 'Cancel'],
  done: ['已导入 {0} 页为草稿，请核对后下发', 'Pages imported as drafts: {0}. Review and apply them.'],
  nothing: ['文件内容与设备现有配置相同', 'The file matches the current configuration of the device'],
  denied: ['{0} 页您无权修改，未导入', 'Pages skipped because you cannot change them: {0}'],
  hint: ['导入后形成草稿，核对差异后再下发', 'Imported pages become drafts. Review the differences, then apply.'],
} as const satisfies Record<string, Text>;

interface ImportPanelProps {
  readonly device: ConfigTree['device'];
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** `network_dns.rows[0].mtu`: page and path. */
const pathOf = (at: string): readonly [page: string, path: string] => {
  const dot = at.indexOf('.');
  return dot < 0 ? [at, ''] : [at.slice(0, dot), at.slice(dot + 1)];
};

const ImportPanel = ({ device, onChanged, onClose }: ImportPanelProps) => {
  const [file, setFile] = useState<ChosenFile>();
  const [refused, setRefused] = useState<string>();
  const [pages, setPages] = useState<readonly string[]>([]);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const schemas = usePages(file?.pages ?? []);
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    const read = await readConfigFile(chosen);
    setFile(read);
    setRefused(read ? undefined : chosen.name);
    setPages(read?.pages ?? []);
    setErrors({});
  };
  const take = async () => {
    if (!file) return;
    setBusy(true);
    try {
      const input = { device_id: device.id, content: file.content, pages: [...pages], ...(password && { password }) };
      const done = await call(exchangeCalls.import, input, { overlay: false });
      if (done.denied.length > 0) notify.warning(t(texts.denied, done.denied.length));
      else if (done.pages.length === 0) notify.info(t(texts.nothing));
      else notify.success(t(texts.done, done.pages.length));
      onChanged();
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setErrors(error.fields);
    } finally {
      setBusy(false);
    }
  };
  const wrong = Object.entries(errors);
  return (
    <Panel title={t(texts.title, device.name)} width={760} onClose={onClose}>
      <p className="muted">{t(texts.hint)}</p>
      <div className="row tool-select">
        <FileButton
          id="import-file"
          accept={['json']}
          label={t(texts.choose)}
          describedBy=""
          isWrong={refused !== undefined}
          onFile={(f) => void choose(f)}
        />
        {file && (
          <span>
            {file.name} · {t(texts.from, file.from)}
          </span>
        )}
      </div>
      {refused && <Callout tone="error">{t(texts.notOne, refused)}</Callout>}
      {file?.isSealed && (
        <div className="doc-field tool-field">
          <div className="row muted doc-label">
            <label htmlFor="import-password">{t(texts.password)}</label>
          </div>
          <LineInput id="import-password" type="password" value={password} onChange={setPassword} />
        </div>
      )}
      {file && <PageSelection label={texts.pages} schemas={schemas} offered={file.pages} chosen={pages} onChange={setPages} />}
      {wrong.length > 0 && (
        <Callout tone="error">
          <p>{t(texts.wrong, wrong.length)}</p>
          <ul>
            {wrong.map(([at, text]) => {
              const [key, path] = pathOf(at);
              const schema = schemas.get(key);
              return (
                <li key={at}>
                  {schema ? `${t(schema.title)} · ${fieldPathText(schema, path)}` : at}: {text}
                </li>
              );
            })}
          </ul>
        </Callout>
      )}
      <div className="dialog-foot drawer-foot">
        <span className="spring" />
        <Button onClick={onClose}>{t(texts.cancel)}</Button>
        <Button kind="primary" loading={busy} disabled={!file || pages.length === 0} onClick={() => void take()}>
          {t(texts.take)}
        </Button>
      </div>
    </Panel>
  );
};
export default ImportPanel;
