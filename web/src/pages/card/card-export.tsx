import { cardExport } from '@farlink/contract/card/card-export.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';
import { isExporting, usePollWhileRunning } from '../../kit/live/use-poll-while-running.ts';

const CardExport = () => {
  usePollWhileRunning(cardExport.key, isExporting);
  return <ResourcePage page={cardExport} />;
};
export default CardExport;
