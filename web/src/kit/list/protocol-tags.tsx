import { protocolName } from '@farlink/contract/package/protocol.ts';
import { TagList } from '../../ui/native/tag-list.tsx';
import { t } from '../chrome/lang.ts';

/** Names of protocol pairs in a cell. The map is large, so it is loaded on first use. */
const ProtocolTags = ({ pairs }: { readonly pairs: readonly string[] }) => (
  <TagList tags={pairs.map((pair) => ({ label: t(protocolName(pair)) }))} />
);
export default ProtocolTags;
