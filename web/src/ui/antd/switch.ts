import { Switch as AntSwitch } from 'antd';
import { themed } from '../theme/themed.tsx';

export const Switch = themed(AntSwitch);
