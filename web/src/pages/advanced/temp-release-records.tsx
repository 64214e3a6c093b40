import { tempReleaseCalls, tempReleaseRecord } from '@farlink/contract/advanced/temp-release.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { t } from '../../kit/chrome/lang.ts';
import { EmbeddedList } from '../../kit/list/embedded-list.tsx';
import { Panel } from '../../ui/native/panel.tsx';

const records = {
  key: 'releaseRecord',
  title: ['放行记录', 'Release records'],
  list: tempReleaseCalls.records,
  resource: tempReleaseRecord,
} as const;

interface TempReleaseRecordsProps {
  /** Undefined: records of all rules. */
  readonly rule?: AnyRow | undefined;
  readonly onClose: () => void;
}

/** Temporary releases that gateways reported. */
const TempReleaseRecords = ({ rule, onClose }: TempReleaseRecordsProps) => (
  <Panel title={rule ? `${t(records.title)} · ${String(rule.name)}` : t(records.title)} width={1180} onClose={onClose}>
    <EmbeddedList page={records} params={rule ? { rule_id: rule.id } : {}} without={rule ? ['rule_name'] : []} />
  </Panel>
);
export default TempReleaseRecords;
