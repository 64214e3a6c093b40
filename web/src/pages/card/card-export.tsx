import { cardExport } from '@farlink/contract/card/card-export.ts';
import { exportState } from '@farlink/contract/export/export.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import { useNews } from '../../kit/use-news.ts';

const isUnderWay = (row: AnyRow) => exportState.can('cancel', row.status);

const CardExport = () => {
  useNews(cardExport.key, isUnderWay);
  return <ResourcePage page={cardExport} />;
};
export default CardExport;
