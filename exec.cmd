@rem npm's scripts begin with exec, so that signals reach node and not a shell around it: here for cmd.exe, which has none.
@%*
