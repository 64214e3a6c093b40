import { Input as AntInput } from 'antd';
import { themed } from '../theme/themed.tsx';

export const Input = themed(AntInput);
export const TextArea = themed(AntInput.TextArea);
export const PasswordInput = themed(AntInput.Password);
export const SearchInput = themed(AntInput.Search);
