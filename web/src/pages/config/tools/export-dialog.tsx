import type { ConfigTree } from '@farlink/contract/config/config.ts';
import { exchangeCalls, exportFields } from '@farlink/contract/config/exchange.ts';
import { form } from '@farlink/contract/kit/page.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { t } from '../../../kit/chrome/lang.ts';
import { notify } from '../../../kit/chrome/notify.tsx';
import { Dialog } from '../../../kit/form/dialog.tsx';
import { RecordForm } from '../../../kit/form/record-form.tsx';
import { download } from '../../../kit/net/download.ts';

const texts = {
  title: ['导出配置 · {0}', 'Export · {0}'],
  done: ['配置已导出', 'Exported'],
  hint: ['导出所有与出厂值不同的配置页', 'Exports all pages that differ from factory values'],
} as const satisfies Record<string, Text>;

const exportForm = form(['导出配置', 'Export'], { password: exportFields.password });

interface ExportDialogProps {
  readonly device: ConfigTree['device'];
  readonly onClose: () => void;
}

const ExportDialog = ({ device, onClose }: ExportDialogProps) => {
  const submit = async (values: Values) => {
    const password = typeof values.password === 'string' ? values.password : undefined;
    await download(exchangeCalls.export, { device_id: device.id, password });
    notify.success(t(texts.done));
    onClose();
  };
  return (
    <Dialog open title={t(texts.title, device.name)} onClose={onClose}>
      <p className="muted dialog-hint">{t(texts.hint)}</p>
      <RecordForm form={exportForm} start={{}} onSubmit={submit} onCancel={onClose} />
    </Dialog>
  );
};
export default ExportDialog;
