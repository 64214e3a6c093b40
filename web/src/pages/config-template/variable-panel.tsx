import { variableActions, variableCalls, variableForms, variableResource } from '@farlink/contract/config/variable.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../../kit/chrome/lang.ts';
import { EmbeddedList } from '../../kit/list/embedded-list.tsx';
import { Panel } from '../../ui/native/panel.tsx';

const hint: Text = [
  '变量在模板中声明；这里按VNO、设备组或设备给出取值，离设备最近的优先，没有取值时用模板中的默认值。',
  'Variables are declared in templates. Set their values here for a VNO, a group or a device. The value closest to the device wins; without one, the template default is used.',
];

const variables = {
  key: 'configVariable',
  title: ['变量取值', 'Variable values'],
  list: variableCalls.list,
  resource: variableResource,
  forms: variableForms,
  actions: variableActions,
} as const;

const VariablePanel = ({ onClose }: { readonly onClose: () => void }) => (
  <Panel title={t(variables.title)} width={1080} onClose={onClose}>
    <p className="muted">{t(hint)}</p>
    <EmbeddedList page={variables} params={{}} />
  </Panel>
);
export default VariablePanel;
