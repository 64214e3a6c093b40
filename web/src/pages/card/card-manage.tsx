import { cardManage } from '@farlink/contract/card/card-rule.ts';
import { exportState } from '@farlink/contract/export/export.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

/** Cards that were never exported also allow cancel, but do not need polling. */
const isUnderWay = (row: AnyRow) =>
  row.state === 'making' || (row.export_status !== exportState.id('waiting') && exportState.can('cancel', row.export_status));

const CardManage = () => {
  usePollWhileRunning(cardManage.key, isUnderWay);
  return <ResourcePage page={cardManage} link="cards" />;
};
export default CardManage;
