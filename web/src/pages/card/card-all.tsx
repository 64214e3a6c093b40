import { cardAll } from '@farlink/contract/card/card.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const CardAll = () => <ResourcePage page={cardAll} />;
export default CardAll;
