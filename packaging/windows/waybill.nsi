; The installer for one user, without an administrator. Run by releasing/windows_packages.py, which defines
; VERSION, SOURCE (the packed program), OUTPUT and ICON; and QUICK for a trial, which need not be small.
;
; The new program is unpacked beside the old one, and takes its place only when it is whole: a full disk or a power cut
; leaves the old one as it was. A person's data lies elsewhere and is not touched, unless removing it is asked for.
;
; Silent: setup /S [/D=FOLDER]; uninstall /S [/PURGE]. Exit status: 0 done, 2 given up or not possible, 3 it is running.
Target amd64-unicode
ManifestDPIAware true
RequestExecutionLevel user
!ifdef QUICK
  SetCompress off
!else
  SetCompressor /SOLID lzma
  SetCompressorDictSize 64 ; both programs hold the same modules, 23 MB: by the usual 8 they are packed twice
!endif
SetDateSave off
!include FileFunc.nsh
!include LogicLib.nsh
!include MUI2.nsh

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Waybill"
!define LINKS "Software\Classes\waybill"
Name "Waybill"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Waybill"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\program\waybill.exe"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Waybill"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Installs Waybill"
VIAddVersionKey LegalCopyright "The makers of Waybill"

; A program that runs cannot be opened for writing on Windows. Its children may outlive its window for a moment.
!macro LookAt NAME
  ${If} ${FileExists} "$INSTDIR\program\${NAME}"
    ClearErrors
    FileOpen $0 "$INSTDIR\program\${NAME}" a
    ${If} ${Errors}
      StrCpy $1 "runs"
    ${Else}
      FileClose $0
    ${EndIf}
  ${EndIf}
!macroend
!macro AskToClose un
Function ${un}AskToClose
  again:
  StrCpy $1 ""
  !insertmacro LookAt "waybill.exe"
  !insertmacro LookAt "waybill-cli.exe"
  ${If} $1 == ""
    Return
  ${EndIf}
  MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "Waybill is running. Close it, and try again." /SD IDCANCEL IDRETRY again
  SetErrorLevel 3
  Quit
FunctionEnd
!macroend
!insertmacro AskToClose ""
!insertmacro AskToClose "un."

Function .onInit
  ClearErrors
  CreateDirectory "$INSTDIR"
  FileOpen $0 "$INSTDIR\writable" w
  ${If} ${Errors}
    MessageBox MB_ICONSTOP "Waybill cannot be installed in $INSTDIR: this user may not write there, or the disk is full." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  FileClose $0
  Delete "$INSTDIR\writable"
  Call AskToClose
FunctionEnd

Function .onInstFailed
  SetOutPath "$TEMP" ; Windows removes no folder that this process is in
  RMDir /r "$INSTDIR\program.new"
  RMDir "$INSTDIR" ; of a first installation nothing is left; a folder that holds something stays
  MessageBox MB_ICONSTOP "Waybill could not be installed: the disk may be full. The version that was there is as it was." /SD IDOK
  SetErrorLevel 2
FunctionEnd

Section
  RMDir /r "$INSTDIR\program.new"
  RMDir /r "$INSTDIR\program.old"
  SetOutPath "$INSTDIR\program.new"
  SetOverwrite on
  File /r "${SOURCE}\*.*"
  SetOutPath "$INSTDIR"
  ${If} ${FileExists} "$INSTDIR\program\*.*"
    Call AskToClose
    ClearErrors
    Rename "$INSTDIR\program" "$INSTDIR\program.old"
    ${If} ${Errors}
      Abort "The version that is there cannot be replaced."
    ${EndIf}
  ${EndIf}
  ClearErrors
  Rename "$INSTDIR\program.new" "$INSTDIR\program"
  ${If} ${Errors}
    Rename "$INSTDIR\program.old" "$INSTDIR\program"
    Abort "The new version cannot be put in place."
  ${EndIf}
  RMDir /r "$INSTDIR\program.old"

  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Waybill.lnk" "$INSTDIR\program\waybill.exe"
  WriteRegStr HKCU "${LINKS}" "" "URL:Waybill order"
  WriteRegStr HKCU "${LINKS}" "URL Protocol" ""
  WriteRegStr HKCU "${LINKS}\shell\open\command" "" '"$INSTDIR\program\waybill.exe" "%1"'
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Waybill"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\program\waybill.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The makers of Waybill"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Function un.onInit
  Call un.AskToClose
FunctionEnd

Section "Uninstall"
  RMDir /r "$INSTDIR\program"
  RMDir /r "$INSTDIR\program.old"
  RMDir /r "$INSTDIR\program.new"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Waybill.lnk"
  DeleteRegKey HKCU "${LINKS}"
  DeleteRegKey HKCU "${UNINSTALL}"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/PURGE" $1
  ${IfNot} ${Errors}
    Goto purge
  ${EndIf}
  ${IfNot} ${FileExists} "$LOCALAPPDATA\Waybill\*.*"
    Goto done
  ${EndIf}
  MessageBox MB_YESNO|MB_DEFBUTTON2|MB_ICONQUESTION "Delete what was typed and sent as well? Without it nobody can look up any more what this desk has sent." /SD IDNO IDNO done
  purge:
  RMDir /r "$LOCALAPPDATA\Waybill"
  done:
SectionEnd
