import { Dialog } from './dialog.tsx';
import { Picture } from './picture.tsx';

interface PictureDialogProps {
  readonly paths: readonly string[];
  readonly label: string;
  readonly onClose: () => void;
}

const PictureDialog = ({ paths, label, onClose }: PictureDialogProps) => (
  <Dialog open title={label} width={640} onClose={onClose}>
    <div className="picture-frame">
      {paths.map((path, i) => (
        <Picture key={path} path={path} label={paths.length > 1 ? `${label} ${i + 1}` : label} />
      ))}
    </div>
  </Dialog>
);
export default PictureDialog;
