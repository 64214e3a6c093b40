import { firmwareList } from '@farlink/contract/firmware/firmware.ts';
import { ResourcePage } from '../../kit/list/resource-page.tsx';

const FirmwareList = () => <ResourcePage page={firmwareList} />;
export default FirmwareList;
