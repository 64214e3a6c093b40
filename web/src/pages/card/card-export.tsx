import { cardExport } from '@farlink/contract/card/card-export.ts';
import { ResourcePage } from '../../kit/resource-page.tsx';
import { isExporting, useNews } from '../../kit/use-news.ts';

const CardExport = () => {
  useNews(cardExport.key, isExporting);
  return <ResourcePage page={cardExport} />;
};
export default CardExport;
