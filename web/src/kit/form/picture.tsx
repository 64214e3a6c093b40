import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../chrome/lang.ts';
import { usePicture } from './use-picture.ts';

const missing: Text = ['图片加载失败', 'The picture could not be loaded'];
const loading: Text = ['加载中…', 'Loading…'];

export const Picture = ({ path, label }: { readonly path: string; readonly label: string }) => {
  const { url, failed } = usePicture(path);
  if (failed) return <span className="muted">{t(missing)}</span>;
  return url === undefined ? <span className="muted">{t(loading)}</span> : <img className="picture" src={url} alt={label} />;
};
