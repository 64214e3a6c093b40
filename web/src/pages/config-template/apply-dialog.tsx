import { configCampaignCalls, startFields } from '@farlink/contract/config/campaign.ts';
import { form } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { useNavigate } from 'react-router';
import { t } from '../../kit/chrome/lang.ts';
import { Dialog } from '../../kit/form/dialog.tsx';
import { startValues } from '../../kit/form/form-values.ts';
import { RecordForm } from '../../kit/form/record-form.tsx';
import { callRows } from '../../kit/net/call-rows.ts';
import { Callout } from '../../ui/native/callout.tsx';

const texts = {
  title: ['下发模板 · {0}', 'Apply template · {0}'],
  disabled: [
    '模板未启用：下发将把设备恢复为不含该模板的配置',
    'The template is disabled: applying restores the device configuration without it',
  ],
} as const satisfies Record<string, Text>;

const startForm = form(['下发模板', 'Apply template'], startFields, 640);

/** Starts a campaign and opens its page. */
const ApplyDialog = ({ template, onClose }: { readonly template: AnyRow; readonly onClose: () => void }) => {
  const navigate = useNavigate();
  const submit = async (values: Values, key: string) => {
    const reply: unknown = await callRows(configCampaignCalls.start, [], { ...values, id: template.id }, { overlay: false, key });
    onClose();
    if (isRecord(reply)) await navigate(`/device/config-campaign/${String(reply.id)}`);
  };
  return (
    <Dialog open title={t(texts.title, String(template.name))} width={startForm.width} onClose={onClose}>
      {template.enabled === false && <Callout tone="warning">{t(texts.disabled)}</Callout>}
      <RecordForm form={startForm} start={startValues(startFields)} onSubmit={submit} onCancel={onClose} />
    </Dialog>
  );
};
export default ApplyDialog;
