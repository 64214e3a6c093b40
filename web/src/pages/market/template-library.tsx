import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { templateLibrary } from '@farlink/contract/market/advert-pages.ts';
import { t } from '../../kit/chrome/lang.ts';
import { EmbeddedList } from '../../kit/list/embedded-list.tsx';
import { Panel } from '../../ui/native/panel.tsx';

interface TemplateLibraryProps {
  readonly onClose: () => void;
  readonly onPreview: (row: AnyRow) => void;
}

const TemplateLibrary = ({ onClose, onPreview }: TemplateLibraryProps) => (
  <Panel title={t(templateLibrary.title)} width={860} onClose={onClose}>
    <EmbeddedList page={templateLibrary} params={{}} run={{ preview: onPreview }} />
  </Panel>
);
export default TemplateLibrary;
