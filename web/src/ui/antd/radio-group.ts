import { Radio } from 'antd';
import { themed } from '../theme/themed.tsx';

export const RadioGroup = themed(Radio.Group);
